import type { HookCredentials } from './hookEvent.js';

/** What a client has appended to the name of a stream: `?user=alice&pass=secret`. */
export type ClientQuery = ReadonlyMap<string, string>;

const maxPairs = 50;

/**
 * Reads the query of a client. A plus is a plus: encoders send what their user has typed, or escape it with percent signs.
 * Null where a name appears twice: servers append a client's query to fields of their own, so a client could otherwise
 * replace them.
 */
export function readClientQuery(text: string): ClientQuery | null {
  const pairs = text
    .replace(/^\?/, '')
    .split('&', maxPairs + 1)
    .filter((pair) => pair !== '');
  const query = new Map(
    pairs.map((pair): [string, string] => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name), decoded(value.join('='))];
    }),
  );
  return pairs.length > maxPairs || query.size < pairs.length ? null : query;
}

/** A password may contain a percent sign that escapes nothing. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** User code, live password and playback token of a query; empty where they are missing. */
export function credentialsIn(query: ClientQuery): HookCredentials & { readonly token: string } {
  return {
    userCode: query.get('user') ?? '',
    livePassword: query.get('pass') ?? '',
    token: query.get('token') ?? '',
  };
}
