import { randomInt } from 'node:crypto';

/** Settings of a service under test. Each request claims another client address, so that rate limits do not apply. */
export const fuzzSettings: Readonly<Record<string, string>> = { PROXY_HOPS: '1', LOG_LEVEL: 'fatal' };

/** The header with a random address. */
export function fromAnyAddress(): readonly [string, string] {
  return ['X-Forwarded-For', `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`];
}
