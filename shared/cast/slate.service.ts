import type { Context } from '../platform/context.js';

/**
 * Has the slates made that a channel can need in the next minutes: one without a next program, and one for each time with
 * nothing to play, with the title and start of the next program. What is stored is not made again.
 */
export async function wantSlates(_ctx: Context, _channelId: string): Promise<void> {
  throw new Error('not built');
}
