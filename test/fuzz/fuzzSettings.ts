import { randomInt } from 'node:crypto';

/** Settings of a service under test: each request says that it comes from another address, so that rate limits do not stop them. */
export const fuzzSettings: Readonly<Record<string, string>> = { PROXY_HOPS: '1', LOG_LEVEL: 'fatal' };

/** The header with an address at random. */
export function fromAnyAddress(): readonly [string, string] {
  return ['X-Forwarded-For', `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`];
}
