import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError } from '../platform/errors.js';
import {
  createStreamItem,
  deleteStreamItem,
  lockStreamItem,
  updateStreamItem,
  type StreamItemInput,
  type StreamItemTable,
} from '../streaming/streamItem.service.js';
import { ownLiveChannel, type LiveChannelDetails } from './liveChannel.queries.js';
import { LiveChannel, LiveEvent } from './live.model.js';

const channels: StreamItemTable = { kind: 'LIVE_CHANNEL', model: LiveChannel, entity: 'liveChannel' };

export interface LiveChannelDescription extends StreamItemInput {
  /** Undefined: true for a new channel. */
  readonly public?: boolean | undefined;
}

/** Creates a channel; `docs/contract.md#live`. Throws the errors of `createStreamItem`. */
export async function createLiveChannel(
  ctx: Context,
  ownerId: string,
  { public: isPublic = true, ...input }: LiveChannelDescription,
): Promise<LiveChannelDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = await createStreamItem(ctx, tx, channels, ownerId, input, { public: isPublic });
    return ownLiveChannel(ctx, ownerId, id, tx);
  });
}

/** Changes a channel; undefined members stay unchanged. Throws the errors of `updateStreamItem`. */
export async function updateLiveChannel(
  ctx: Context,
  ownerId: string,
  channelId: string,
  { public: isPublic, ...input }: Partial<LiveChannelDescription>,
): Promise<LiveChannelDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = await updateStreamItem(ctx, tx, channels, { id: channelId, ownerId }, input, { public: isPublic });
    return ownLiveChannel(ctx, ownerId, id, tx);
  });
}

/**
 * Deletes a channel, ends its publication and frees its stream path. Throws NotFoundError; ConflictError while it has
 * events, including past events.
 */
export async function deleteLiveChannel(ctx: Context, ownerId: string, channelId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const id = await lockLiveChannel(ctx, tx, ownerId, channelId);
    const where = { channelId: id };
    const event = await ctx.db.model(LiveEvent).findOne({ where, attributes: ['id'], transaction: tx });
    if (event) throw new ConflictError({ key: 'live.channelHasEvents' });
    await deleteStreamItem(ctx, tx, channels, id);
  });
}

/**
 * Locks a channel of this owner; resolves with its id in lower case. Changes of a channel or its events lock it first,
 * so that of two concurrent events for the same time, the second detects the overlap. Throws NotFoundError.
 */
export function lockLiveChannel(ctx: Context, tx: Transaction, ownerId: string, channelId: string): Promise<string> {
  return lockStreamItem(ctx, tx, channels, { id: channelId, ownerId });
}
