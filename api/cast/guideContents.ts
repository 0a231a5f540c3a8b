import type { Context } from '../../shared/platform/context.js';
import { RefreshedCache } from '../../shared/platform/refreshedCache.js';
import { fixedContent, type FixedContent } from '../http/sendFixed.js';

/** A guide is rendered at most once in this time, because its requests need no token. */
const lifetimeMs = 10_000;
const maxBytes = 32 * 1024 * 1024;
const caches = new WeakMap<Context, RefreshedCache<FixedContent>>();

/**
 * The guide with this name. `write` is called once for all requests within ten seconds: concurrent requests wait for the same
 * call.
 */
export async function guideContent(
  ctx: Context,
  { name, type }: { readonly name: string; readonly type: string },
  write: () => Promise<string>,
): Promise<FixedContent> {
  const key = `${Math.floor(ctx.clock.now().getTime() / lifetimeMs)} ${name}`;
  const writer = async () => fixedContent(type, await write());
  return (await cacheOf(ctx).get(key, writer)) ?? writer();
}

function cacheOf(ctx: Context): RefreshedCache<FixedContent> {
  const present = caches.get(ctx);
  if (present) return present;
  const cache = new RefreshedCache<FixedContent>({
    lifetimeMs: Number.POSITIVE_INFINITY,
    memory: { maxBytes, bytesOf: ({ bytes }) => bytes.length },
  });
  caches.set(ctx, cache);
  return cache;
}
