import type { Context } from '../platform/context.js';

/** Segments are kept this much longer than viewers can rewind, for players with an older playlist. */
const marginSeconds = 300;

/** Older segments are removed, unless a recording needs them. */
export function oldestRetained(ctx: Context): Date {
  const { rewindSeconds, reconnectSeconds } = ctx.config.live;
  return new Date(ctx.clock.now().getTime() - (rewindSeconds + reconnectSeconds + marginSeconds) * 1000);
}
