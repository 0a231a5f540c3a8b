import type { Context } from '../../shared/platform/context.js';

/** Writes all dirty marks to all engines in use: changes committed before are searchable afterwards. */
export async function drainSearch(ctx: Context): Promise<void> {
  for (const engine of ctx.search.maintenance.engines) await ctx.search.maintenance.drain(engine);
}
