/**
 * Who may call a path. `public`: any access token. `user`: an access token of a user. `client`: Basic with the client's
 * credentials. `integration`: Basic with the credentials of the streaming server. `open`: everybody.
 */
export type AccessRule = 'public' | 'user' | 'client' | 'integration' | 'open';

const prefixes: readonly (readonly [prefix: string, access: AccessRule])[] = [
  ['/api/public/', 'public'],
  ['/api/', 'user'],
  ['/oauth/', 'client'],
  ['/rest/', 'integration'],
];

/** The hook of a server that signs its requests and can send no credentials: its handler verifies the signature. */
const signedHook = /^\/rest\/[^/]+\/hooks\/ovenmediaengine\/?$/;

/** Guides and addresses for players and recorders, which send no token (`docs/contract.md#choices-cast`, `#choices-live`). */
const forPlayers =
  /^\/api\/public\/(?:cast\/(?:channel\/[^/]+\/(?:guide|epg\.xml|playlist\.m3u8)|epg\.xml|channels\.m3u)|live\/(?:channel|event)\/[^/]+\/playlist\.m3u8)\/?$/;

/**
 * The one rule who may call (`docs/contract.md#authentication`): the prefix of the path decides. Routes do not declare it.
 * Paths compare with case, as the routers do.
 */
export function accessOf(path: string): AccessRule {
  if (signedHook.test(path) || forPlayers.test(path)) return 'open';
  return prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'open';
}

/** The requests whose form may hold the credentials of the client (`docs/contract.md#choices-tokens`). */
export function isTokenRequest({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && /^\/oauth\/token\/?$/.test(path);
}

/** Whether a path belongs to programs alone: its errors are JSON whatever the request accepts (`docs/contract.md#choices-errors`). */
export function isForPrograms(path: string): boolean {
  return /^\/(?:api|oauth|rest|webhooks)(?:\/|$)/.test(path);
}
