import type { HookCredentials } from './hookEvent.js';

/** The query that a client has appended to a stream name: `?user=alice&pass=secret`. */
export type ClientQuery = ReadonlyMap<string, string>;

const maxPairs = 50;

/**
 * Parses a client's query. A plus sign is literal, because encoders send the typed text, or escape it with percent signs. Null
 * if a name appears twice: servers append the query to their own fields, which a client could otherwise replace.
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

/** User code, live password and playback token of a query; empty if they are missing. */
export function credentialsIn(query: ClientQuery): HookCredentials & { readonly token: string } {
  return {
    userCode: query.get('user') ?? '',
    livePassword: query.get('pass') ?? '',
    token: query.get('token') ?? '',
  };
}
