import type { Context } from '../../shared/platform/context.js';

/** Writes every mark that waits to every engine that is in use: what was committed before is searchable after. */
export async function drainSearch(ctx: Context): Promise<void> {
  for (const engine of ctx.search.maintenance.engines) await ctx.search.maintenance.drain(engine);
}
