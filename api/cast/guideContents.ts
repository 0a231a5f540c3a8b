import type { Context } from '../../shared/platform/context.js';
import { RefreshedCache } from '../../shared/platform/refreshedCache.js';
import { fixedContent, type FixedContent } from '../http/sendFixed.js';

/** A guide is written again after this time at the earliest: anybody may ask for it, as often as they like. */
const lifetimeMs = 10_000;
const maxBytes = 32 * 1024 * 1024;
const caches = new WeakMap<Context, RefreshedCache<FixedContent>>();

/**
 * The content of this name. `write` is called once for all requests of ten seconds: requests at the same time wait for the
 * same call.
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
