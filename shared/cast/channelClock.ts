import type { Context } from '../platform/context.js';

/**
 * The time by which all processes decide and show what channels play, that of the database: microseconds since 1970. Never
 * less than before.
 */
export function channelTime(ctx: Context): number | Promise<number> {
  return ctx.databaseTime.now(ctx);
}
