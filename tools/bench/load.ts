import autocannon from 'autocannon';

interface Load {
  /** Requested one after the other, repeatedly. */
  readonly urls: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly seconds: number;
}

/** Concurrent callers, each with its own connection. */
const connections = 10;

/** Sends requests as fast as responses arrive. Resolves with requests per second. Throws if a response is not a success. */
export async function load({ urls, headers, seconds }: Load): Promise<number> {
  const [first = ''] = urls;
  const origin = new URL(first).origin;
  const result = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    ...(headers ? { headers: { ...headers } } : {}),
    requests: urls.map((url) => ({ method: 'GET' as const, path: url.slice(origin.length) })),
  });
  const bad = result.errors + result.timeouts + result.non2xx;
  if (bad > 0 || result['2xx'] === 0)
    throw new Error(`${bad} of ${result.requests.total} requests had no successful response`);
  return result['2xx'] / result.duration;
}
