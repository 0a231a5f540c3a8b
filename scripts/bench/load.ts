import autocannon from 'autocannon';

export interface Load {
  /** Addresses asked for in turn. */
  readonly urls: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly seconds: number;
}

export interface Answered {
  readonly requestsPerSecond: number;
  readonly megabytesPerSecond: number;
}

/** Callers at once, each with its own connection. */
const connections = 10;

/** Asks as fast as answers come. Throws where a single one is not 200: a fast refusal is no figure. */
export async function load({ urls, headers, seconds }: Load): Promise<Answered> {
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
    throw new Error(`${bad} of ${result.requests.total} requests were not answered well`);
  return {
    requestsPerSecond: result['2xx'] / result.duration,
    megabytesPerSecond: result.throughput.total / result.duration / 1e6,
  };
}
