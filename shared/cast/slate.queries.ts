import type { Context } from '../platform/context.js';
import type { CastSlate } from './cast.model.js';

/**
 * The stored slates of a channel. At a time, the first one is shown with `showsFrom` <= time < `showsUntil` (null: no end).
 * The default slate is the last one; it is missing only until the first worker has made it.
 */
export async function readySlates(_ctx: Context, _channelId: string): Promise<CastSlate[]> {
  throw new Error('not built');
}
