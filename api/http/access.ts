/**
 * Permitted callers of a path. `public`: any access token. `user`: an access token of a user. `client`: Basic with the client's
 * credentials. `integration`: Basic with the streaming server's credentials. `open`: everybody.
 */
export type AccessRule = 'public' | 'user' | 'client' | 'integration' | 'open';

const prefixes: readonly (readonly [prefix: string, access: AccessRule])[] = [
  ['/api/public/', 'public'],
  ['/api/', 'user'],
  ['/oauth/', 'client'],
  ['/rest/', 'integration'],
];

/** The hook of a server that cannot send credentials but signs its requests: the handler verifies the signature. */
const signedHook = /^\/rest\/[^/]+\/hooks\/ovenmediaengine\/?$/;

/** Guides and playlists for players and recorders, which send no token (`docs/contract.md#choices-cast`, `#choices-live`). */
const forPlayers =
  /^\/api\/public\/(?:cast\/(?:channel\/[^/]+\/(?:guide|epg\.xml|playlist\.m3u8)|epg\.xml|channels\.m3u)|live\/(?:channel|event)\/[^/]+\/playlist\.m3u8)\/?$/;

/**
 * The prefix of a path decides who may call it (`docs/contract.md#authentication`); routes do not declare it. Paths are
 * case-sensitive, as in the routers.
 */
export function accessOf(path: string): AccessRule {
  if (signedHook.test(path) || forPlayers.test(path)) return 'open';
  return prefixes.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'open';
}

/** Requests whose form may contain the client's credentials (`docs/contract.md#choices-tokens`). */
export function isTokenRequest({ method, path }: { readonly method: string; readonly path: string }): boolean {
  return method === 'POST' && /^\/oauth\/token\/?$/.test(path);
}

/** Whether only programs use a path: its errors are JSON whatever the request accepts (`docs/contract.md#choices-errors`). */
export function isForPrograms(path: string): boolean {
  return /^\/(?:api|oauth|rest|webhooks)(?:\/|$)/.test(path);
}
