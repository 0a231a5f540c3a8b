import { publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { orNotFound } from '../platform/errors.js';
import type { LiveChannel } from './live.model.js';
import { liveVisibility } from './live.visibility.js';

/** A channel as shown to users; `docs/contract.md#fields-live-channel`. */
export interface LiveChannelDetails extends Pick<
  LiveChannel,
  'id' | 'ownerId' | 'name' | 'description' | 'thumbnailId' | 'tags' | 'public'
> {
  /** Private views only. */
  readonly streamPath: string;
}

/** A channel with its publisher, in the public view. */
export interface PublishedLiveChannel {
  readonly channel: LiveChannelDetails;
  readonly publisher: Publisher;
}

const details = `
  SELECT channel.id, channel.owner_id, channel.name, channel.description, channel.thumbnail_id, channel.tags,
         channel.public, stream.path AS stream_path
    FROM live_channels channel JOIN live_streams stream ON stream.id = channel.id`;
const withOwner = `${details} JOIN users owner ON owner.id = channel.owner_id`;

/** A channel of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownLiveChannel(
  ctx: Context,
  ownerId: string,
  channelId: string,
  tx?: Transaction,
): Promise<LiveChannelDetails> {
  return orNotFound((await ownLiveChannels(ctx, ownerId, [channelId], tx)).get(channelId));
}

/** The channels with these ids that belong to this owner, by id. */
export function ownLiveChannels(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, LiveChannelDetails>> {
  return read(ctx, `${details} WHERE ${ownRows('channel')}`, { ids, ownerId }, tx);
}

/** A channel of an active publisher, for anyone who has its id. Throws NotFoundError. */
export async function visibleLiveChannel(ctx: Context, channelId: string): Promise<PublishedLiveChannel> {
  const sql = `${withOwner} WHERE channel.id = $channelId AND ${liveVisibility.byId}`;
  const [found] = (await readPublished(ctx, sql, { channelId })).values();
  return orNotFound(found);
}

/**
 * The channels with these ids that the public search may return, by id. Read from the current rows, not from the index.
 */
export function listedLiveChannels(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedLiveChannel>> {
  return readPublished(
    ctx,
    `${withOwner} WHERE channel.id = ANY ($ids::uuid[]) AND ${liveVisibility.channelInSearch}`,
    {
      ids,
    },
  );
}

/** The channels with these ids, of any owner, by id; for views of events. */
export function channelsOf(
  ctx: Context,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, LiveChannelDetails>> {
  return read(ctx, `${details} WHERE channel.id = ANY ($ids::uuid[])`, { ids }, tx);
}

async function read(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
  tx?: Transaction,
): Promise<Map<string, LiveChannelDetails>> {
  const rows = await ctx.db.rows<LiveChannelDetails>(sql, bind, tx);
  return new Map(rows.map((row) => [row.id, row]));
}

async function readPublished(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
): Promise<Map<string, PublishedLiveChannel>> {
  const channels = [...(await read(ctx, sql, bind)).values()];
  const publishers = await publishersOf(
    ctx,
    channels.map(({ ownerId }) => ownerId),
  );
  return new Map(
    channels.flatMap((channel) => {
      const publisher = publishers.get(channel.ownerId);
      return publisher ? [[channel.id, { channel, publisher }] as const] : [];
    }),
  );
}
