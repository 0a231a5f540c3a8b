import { LRUCache } from 'lru-cache';
import type { Context } from '../../shared/platform/context.js';
import { fixedContent, type FixedContent } from '../http/sendFixed.js';

type Writer = () => Promise<FixedContent>;

/** A guide is written again after this time at the earliest: anybody may ask for it, as often as they like. */
const lifetimeMs = 10_000;
const mostBytes = 32 * 1024 * 1024;
const caches = new WeakMap<Context, LRUCache<string, FixedContent, Writer>>();

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
  return (await cacheOf(ctx).fetch(key, { context: writer })) ?? writer();
}

function cacheOf(ctx: Context): LRUCache<string, FixedContent, Writer> {
  const present = caches.get(ctx);
  if (present) return present;
  const cache = new LRUCache<string, FixedContent, Writer>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => bytes.length + 1,
    fetchMethod: (_key, _present, { context }) => context(),
    ignoreFetchAbort: true,
  });
  caches.set(ctx, cache);
  return cache;
}
