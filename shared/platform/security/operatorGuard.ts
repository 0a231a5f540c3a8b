import { LRUCache } from 'lru-cache';
import type { Context } from '../context.js';
import { TooManyRequestsError } from '../errors.js';
import { networkOf } from '../formats/network.js';
import { Limit } from '../limit.js';
import { sameSecret } from './passwords.js';
import type { Config } from '../config.js';

const windowSeconds = 60;
/**
 * Failures of one address in a minute, each kind counted for itself. Enough for many people behind one address who mistype;
 * secrets of 16 characters cannot be guessed at this rate.
 */
export const guardedCallsPerMinute = new Limit(60);
/** Counts of more networks push out the oldest ones: right credentials are accepted in any case. */
const maximumNetworks = 10_000;

/**
 * Whether a caller is an operator: the `Authorization` header has the right Basic credentials. Throws TooManyRequestsError
 * for wrong ones after too many of them from one address in a minute.
 */
export type OperatorGuard = (header: string | undefined, remoteAddress: string | undefined) => boolean;

/**
 * Right credentials are accepted beyond the limit, as those of clients are (`docs/decisions/limits.md`): otherwise anybody
 * who shares an address with the operators could keep them out. Failures are counted in this process, so that operators can read
 * its metrics while the database is down.
 */
export function createOperatorGuard({ config, clock }: Pick<Context, 'config' | 'clock'>): OperatorGuard {
  const failures = new LRUCache<string, number>({
    max: maximumNetworks,
    // lru-cache returns an entry of exactly this age; then its window is over.
    ttl: windowSeconds * 1000 - 1,
    ttlResolution: 0,
    // The window begins with the first failure.
    noUpdateTTL: true,
    perf: { now: () => clock.now().getTime() },
  });
  return (header, remoteAddress = '') => {
    if (isOperator(config, header)) return true;
    // A browser sends its first request without credentials.
    if (header === undefined) return false;
    const network = networkOf(remoteAddress);
    const count = failures.get(network) ?? 0;
    const maximum = config.limit(guardedCallsPerMinute);
    if (count >= maximum) {
      const retryAfterSeconds = Math.max(1, Math.ceil(failures.getRemainingTTL(network) / 1000));
      throw new TooManyRequestsError(retryAfterSeconds, { maximum, seconds: windowSeconds });
    }
    failures.set(network, count + 1);
    return false;
  };
}

/** Compares in constant time. */
function isOperator({ operator }: Config, header: string | undefined): boolean {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(header ?? '')?.[1];
  if (encoded === undefined) return false;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 0) return false;
  const isUserRight = sameSecret(text.slice(0, colon), operator.user);
  const isPasswordRight = sameSecret(text.slice(colon + 1), operator.password);
  return isUserRight && isPasswordRight;
}
