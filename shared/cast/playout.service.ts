import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';

/**
 * Decides what a channel plays up to some time before the end of the freeze. One transaction, which locks the row of
 * `cast_playouts`: whichever process does it, and however many do it at once, each segment is decided once. Does nothing where
 * there is no such channel, or where enough is decided.
 */
export async function extendPlayout(_ctx: Context, _channelId: string): Promise<void> {
  throw new Error('not built');
}

/**
 * From when on the programs of a channel may be changed: now and `CAST_FREEZE_SECONDS`, or later where more is decided; a
 * whole second. Until the transaction ends nothing more is decided, so what it writes is played. The caller has locked the
 * row of the channel before.
 */
export async function firstFreeTime(_ctx: Context, _tx: Transaction, _channelId: string): Promise<Date> {
  throw new Error('not built');
}
