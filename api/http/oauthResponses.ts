import type { OAuthErrorKind } from '../../shared/oauth/oauth.errors.js';
import type { AccessRule } from './access.js';

/** Status of an OAuth error, and the value of its `WWW-Authenticate`. */
interface OAuthResponse {
  readonly status: number;
  readonly challenge?: (description: string, access: AccessRule) => string;
}

/**
 * `docs/contract.md#errors`. Error and description are fixed. The token that a path needs is therefore in an additional parameter
 * of the challenge (permitted by RFC 6750, section 3), and in the body's message (`neededToken`). `bad_client` has another body.
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

/** Value of `required_token` for each access rule. */
const requiredTokens: Partial<Readonly<Record<AccessRule, string>>> = { public: 'any', user: 'user' };

/** Message key: which token the path needs and where to get it. For callers with a public token or none. */
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
