/**
 * The refusals of `docs/contract.md#errors` that have a form of their own on the wire. Their descriptions are part
 * of the protocol and not translated.
 */
export type OAuthErrorKind =
  /** No access token came. */
  | 'unauthorized'
  /** An access or refresh token that is expired, revoked or was never one. */
  | 'invalid_token'
  /** A private path with a public token. */
  | 'access_denied'
  /** Wrong client credentials on the token endpoint. */
  | 'bad_client'
  /** Wrong user credentials, or an account that may not log in. */
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
