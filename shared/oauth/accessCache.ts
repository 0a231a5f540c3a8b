import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/systemClock.js';
import type { Context } from '../platform/context.js';

/** The client and user of an access token. */
export interface VerifiedAccess {
  readonly clientId: string;
  /** Null for a public token. */
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly expiresAt: Date;
}

/** Access by hash of the token. */
export type AccessCache = LRUCache<string, VerifiedAccess>;

declare module '../platform/context.js' {
  interface Context {
    /** Access tokens that this process has read from the database in the last two seconds. */
    readonly accessCache: AccessCache;
  }
}

/** A revocation by this process takes effect at once; one by another process after this time at the latest. */
const lifetimeMs = 2000;
const maximumTokens = 10_000;

export function createAccessCache(clock: Clock): AccessCache {
  return new LRUCache({
    max: maximumTokens,
    // lru-cache returns an entry of exactly this age; after the lifetime it must not.
    ttl: lifetimeMs - 1,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
}

export function cachedAccess({ accessCache }: Context, hash: Buffer): VerifiedAccess | undefined {
  return accessCache.get(hash.toString('base64'));
}

export function cacheAccess({ accessCache }: Context, hash: Buffer, access: VerifiedAccess): void {
  accessCache.set(hash.toString('base64'), access);
}

/** Drops the tokens of a user. To be called after the transaction that revokes them has committed. */
export function dropCachedAccess({ accessCache }: Context, userId: string): void {
  for (const [key, access] of accessCache) if (access.userId === userId) accessCache.delete(key);
}
