/**
 * The OAuth errors of `docs/contract.md#errors`, which have a different response body. Their descriptions are part of
 * the protocol and are not translated.
 */
export type OAuthErrorKind =
  /** The request has no access token. */
  | 'unauthorized'
  /** An access or refresh token that is expired, revoked or unknown. */
  | 'invalid_token'
  /** A private path with a public token. */
  | 'access_denied'
  /** Wrong client credentials on the token endpoint. */
  | 'bad_client'
  /** Wrong user credentials, or an account that is not active. */
  | 'invalid_grant'
  | 'invalid_request'
  | 'unsupported_grant_type';

export class OAuthError extends Error {
  constructor(
    readonly kind: OAuthErrorKind,
    readonly description: string,
  ) {
    super(description);
    this.name = 'OAuthError';
  }
}
