import type { Context } from '../platform/context.js';
import { CastCut } from './cast.model.js';

/** The stored cuts of these contents, without those that nothing wants any more: a sweep may remove their files. */
export async function readyCuts(ctx: Context, contentIds: readonly string[]): Promise<CastCut[]> {
  if (contentIds.length === 0) return [];
  const now = ctx.clock.now();
  const ready = await ctx.db.model(CastCut).findAll({ where: { contentId: [...contentIds], state: 'READY' } });
  return ready.filter(({ neededUntil }) => neededUntil > now);
}
