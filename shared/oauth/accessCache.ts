import { LRUCache } from 'lru-cache';
import type { Clock } from '../platform/systemClock.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';

/** The client and user of an access token. */
export interface VerifiedAccess {
  readonly clientId: string;
  /** Null for a public token. */
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly expiresAt: Date;
}

/** Access by token hash. */
type AccessCache = LRUCache<string, VerifiedAccess>;

/** Maximum delay of a revocation by another process. Revocations by this process take effect immediately. */
const lifetimeMs = 2000;
const maxTokens = 10_000;

/** Access tokens that this process has read in the last two seconds. */
const accessCache = contextPart(
  ({ clock }: { readonly clock: Clock }): AccessCache =>
    new LRUCache({
      max: maxTokens,
      // lru-cache still returns an entry whose age equals `ttl`; one of age `lifetimeMs` must not be returned.
      ttl: lifetimeMs - 1,
      ttlResolution: 0,
      perf: { now: () => clock.now().getTime() },
    }),
);

export function cachedAccess(ctx: Context, hash: Buffer): VerifiedAccess | undefined {
  return accessCache(ctx).get(hash.toString('base64'));
}

export function cacheAccess(ctx: Context, hash: Buffer, access: VerifiedAccess): void {
  accessCache(ctx).set(hash.toString('base64'), access);
}

/** Drops a user's tokens from the cache. Call it after the commit of the transaction that revokes them. */
export function dropCachedAccess(ctx: Context, userId: string): void {
  const cache = accessCache(ctx);
  for (const [key, access] of cache) if (access.userId === userId) cache.delete(key);
}
