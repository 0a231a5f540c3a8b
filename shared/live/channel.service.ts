import { randomUUID } from 'node:crypto';
import { ownThumbnail } from '../content/thumbnail.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import { claimStream, releaseStream, renamePath } from '../streaming/streamPath.service.js';
import { ownChannel, type ChannelDetails } from './channel.queries.js';
import { LiveChannel } from './live.model.js';

/** The members of a channel that its owner sets. An update empties those that are left out, except `public`. */
export interface ChannelDescription {
  readonly name: string;
  readonly streamPath: string;
  readonly description?: string | undefined;
  /** Undefined: true for a new channel, unchanged for an existing one. */
  readonly public?: boolean | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/**
 * Creates a channel and claims its stream path; `docs/contract.md#live`. Throws ConflictError where the path is taken,
 * ValidationError where the thumbnail is not the owner's.
 */
export async function createChannel(ctx: Context, ownerId: string, input: ChannelDescription): Promise<ChannelDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = randomUUID();
    const now = ctx.clock.now();
    const described = await describe(ctx, tx, ownerId, input);
    await claimStream(ctx, tx, { id, ownerId, kind: 'LIVE_CHANNEL', path: input.streamPath });
    await ctx.db
      .model(LiveChannel)
      .create(
        { id, ownerId, ...described, public: input.public ?? true, createdAt: now, updatedAt: now },
        { transaction: tx },
      );
    await ctx.search.markDirty(tx, 'liveChannel', id);
    return ownChannel(ctx, ownerId, id, tx);
  });
}

/**
 * Replaces the description of a channel. With another stream path, encoders must use that one from now on; a publication
 * that is open continues. Throws NotFoundError, and what `createChannel` throws.
 */
export async function updateChannel(
  ctx: Context,
  ownerId: string,
  channelId: string,
  input: ChannelDescription,
): Promise<ChannelDetails> {
  return ctx.db.transaction(async (tx) => {
    const id = await lockChannel(ctx, tx, ownerId, channelId);
    const present = await ownChannel(ctx, ownerId, id, tx);
    const described = await describe(ctx, tx, ownerId, input);
    if (input.streamPath !== present.streamPath) await renamePath(ctx, tx, { id, path: input.streamPath });
    const values = { ...described, public: input.public ?? present.public, updatedAt: ctx.clock.now() };
    await ctx.db.model(LiveChannel).update(values, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'liveChannel', id);
    return ownChannel(ctx, ownerId, id, tx);
  });
}

/**
 * Deletes a channel, ends its publication, and frees its stream path. Throws NotFoundError; ConflictError while it has
 * events, past ones included.
 */
export async function deleteChannel(ctx: Context, ownerId: string, channelId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const id = await lockChannel(ctx, tx, ownerId, channelId);
    const events = await ctx.db.rows('SELECT 1 FROM live_events WHERE channel_id = $id LIMIT 1', { id }, tx);
    if (events.length > 0) throw new ConflictError({ key: 'live.channelHasEvents' });
    await ctx.db.change('DELETE FROM live_channels WHERE id = $id', { id }, tx);
    await releaseStream(ctx, tx, id);
    await ctx.search.markDirty(tx, 'liveChannel', id);
  });
}

/**
 * Locks a channel of this owner; resolves with its id in lower case. Changes of a channel and of its events lock it first:
 * of two events for the same time, the second sees the first. Throws NotFoundError.
 */
export async function lockChannel(ctx: Context, tx: Transaction, ownerId: string, channelId: string): Promise<string> {
  const [channel] = isUuid(channelId)
    ? await ctx.db.rows<{ id: string }>(
        'SELECT id FROM live_channels WHERE id = $channelId AND owner_id = $ownerId FOR UPDATE',
        { channelId, ownerId },
        tx,
      )
    : [];
  if (!channel) throw new NotFoundError();
  return channel.id;
}

async function describe(ctx: Context, tx: Transaction, ownerId: string, input: ChannelDescription) {
  const { name, description, tags = [] } = input;
  const thumbnailId = await ownThumbnail(ctx, tx, ownerId, input.thumbnailId);
  return { name, description: description || null, thumbnailId, tags: [...tags] };
}
