import type { OAuthErrorKind } from '../../shared/oauth/oauth.errors.js';
import type { AccessRule } from './access.js';

/** Status of an OAuth error, and the value of its `WWW-Authenticate`. */
interface OAuthResponse {
  readonly status: number;
  readonly challenge?: (description: string, access: AccessRule) => string;
}

/**
 * `docs/contract.md#errors`. Error and description are fixed, so a parameter of the challenge says which token the path needs
 * (RFC 6750, section 3, permits further ones), and `neededToken` a sentence in the body. `bad_client` has its own form of body.
 */
export const oauthResponses: Readonly<Record<OAuthErrorKind, OAuthResponse>> = {
  unauthorized: { status: 401, challenge: bearer('unauthorized') },
  invalid_token: { status: 401, challenge: bearer('invalid_token') },
  access_denied: { status: 403, challenge: bearer('insufficient_scope') },
  bad_client: { status: 401, challenge: () => 'Basic realm="oauth2/client"' },
  invalid_grant: { status: 400 },
  invalid_request: { status: 400 },
  unsupported_grant_type: { status: 400 },
};

/** Value of `required_token`, by who may call a path. */
const requiredTokens: Partial<Readonly<Record<AccessRule, string>>> = { public: 'any', user: 'user' };

/** Key of the sentence on the token that a path needs and its source, where the caller has sent none or a public one. */
export function neededToken(kind: OAuthErrorKind, access: AccessRule): string | undefined {
  if (kind !== 'unauthorized' && kind !== 'access_denied') return undefined;
  return access === 'user' ? 'error.userTokenNeeded' : 'error.tokenNeeded';
}

function bearer(error: string): (description: string, access: AccessRule) => string {
  return (description, access) => {
    const required = requiredTokens[access];
    const challenge = `Bearer realm="oauth2-resource", error="${error}", error_description="${description}"`;
    return required ? `${challenge}, required_token="${required}"` : challenge;
  };
}
