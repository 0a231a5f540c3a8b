import type { Context } from '../../shared/platform/context.js';

/** Writes all dirty marks to all engines: changes committed before are then searchable. */
export async function drainSearch(ctx: Context): Promise<void> {
  for (const engine of ctx.search.maintenance.engines) await ctx.search.maintenance.drain(engine);
}
