import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import {
  createStreamItem,
  deleteStreamItem,
  lockStreamItem,
  updateStreamItem,
  type StreamItemChange,
  type StreamItemInput,
  type StreamItemTable,
} from '../streaming/streamItem.service.js';
import { CastChannel, CastPlayout } from './cast.model.js';
import { ownCastChannel, type CastChannelDetails, type OwnedCastChannel } from './castChannel.queries.js';
import { extendChannel } from './cast.jobs.js';
import { airingRetentionSeconds } from './playout.service.js';

const channels: StreamItemTable = { kind: 'CAST_CHANNEL', model: CastChannel, entity: 'castChannel' };

/** Creates a channel, which plays its slate; `docs/contract.md#cast`. Throws the errors of `createStreamItem`. */
export async function createCastChannel(
  ctx: Context,
  ownerId: string,
  input: StreamItemInput,
): Promise<CastChannelDetails> {
  return ctx.db.transaction(async (tx) => {
    const channelId = await createStreamItem(ctx, tx, channels, ownerId, input);
    await ctx.outbox.add(tx, extendChannel, { channelId });
    return ownCastChannel(ctx, { channelId, ownerId }, tx);
  });
}

/** Changes the description of a channel, which also changes its slate. Throws the errors of `updateStreamItem`. */
export async function updateCastChannel(
  ctx: Context,
  { channelId, ownerId }: OwnedCastChannel,
  input: StreamItemChange,
): Promise<CastChannelDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = await updateStreamItem(ctx, tx, channels, { id: channelId, ownerId }, input);
    await ctx.outbox.add(tx, extendChannel, { channelId: id });
    return ownCastChannel(ctx, { channelId: id, ownerId }, tx);
  });
}

/**
 * Deletes a channel with all its programs, also while it is on air: its playlists return 404 from now on. Listed segments stay
 * stored until no viewer can fetch them. Throws NotFoundError.
 */
export async function deleteCastChannel(ctx: Context, channel: OwnedCastChannel): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const id = await lockCastChannel(ctx, tx, channel);
    await ctx.db.model(CastPlayout).destroy({ where: { channelId: id }, transaction: tx });
    await ctx.db.change(
      'UPDATE cast_slates SET needed_until = least(needed_until, $until) WHERE channel_id = $id',
      { id, until: new Date(ctx.clock.now().getTime() + airingRetentionSeconds * 1000) },
      tx,
    );
    const programs = await ctx.db.rows<{ id: string }>(
      'DELETE FROM cast_programs WHERE channel_id = $id RETURNING id',
      { id },
      tx,
    );
    await ctx.search.markDirty(
      tx,
      'castProgram',
      programs.map((program) => program.id),
    );
    await deleteStreamItem(ctx, tx, channels, id);
  });
}

/**
 * Locks a channel of this owner; resolves with its id in lower case. Every change of a channel or of its programs locks
 * this row first, then the row of `cast_playouts`. Throws NotFoundError.
 */
export function lockCastChannel(
  ctx: Context,
  tx: Transaction,
  { channelId, ownerId }: OwnedCastChannel,
): Promise<string> {
  return lockStreamItem(ctx, tx, channels, { id: channelId, ownerId });
}
