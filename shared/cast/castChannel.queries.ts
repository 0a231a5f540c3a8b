import { publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { NotFoundError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';
import type { CastChannel } from './cast.model.js';
import { isVisible } from './visibility.js';

/** A cast channel with its derived fields; `docs/contract.md#fields-cast-channel`. */
export interface CastChannelDetails extends Pick<
  CastChannel,
  'id' | 'ownerId' | 'name' | 'description' | 'thumbnailId' | 'tags' | 'timeZone'
> {
  /** Shown to the owner only. */
  readonly streamPath: string;
  /** The channel has a frozen program that has not ended: `docs/contract.md#choices-cast`. */
  readonly locked: boolean;
}

/** A cast channel with its publisher, as everybody sees it. */
export interface PublicCastChannel extends CastChannelDetails {
  readonly publisher: Publisher;
}

/** A channel and the user who must own it. */
export interface OwnedCastChannel {
  readonly channelId: string;
  readonly ownerId: string;
}

const details = `
  SELECT channel.id, channel.owner_id, channel.name, channel.description, channel.thumbnail_id, channel.tags,
         channel.time_zone, stream.path AS stream_path,
         EXISTS (SELECT 1 FROM cast_programs program
                   LEFT JOIN cast_playouts playout ON playout.channel_id = program.channel_id
                  WHERE program.channel_id = channel.id AND program.ends_at > $now
                    AND (program.starts_at < $frozenUntil
                         OR extract(epoch FROM program.starts_at) * 1000000 < playout.decided_until)) AS locked
    FROM cast_channels channel JOIN live_streams stream ON stream.id = channel.id`;
const withOwner = `${details} JOIN users owner ON owner.id = channel.owner_id`;

/** A channel of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownCastChannel(
  ctx: Context,
  { channelId, ownerId }: OwnedCastChannel,
  tx?: Transaction,
): Promise<CastChannelDetails> {
  const channel = (await ownCastChannels(ctx, ownerId, [channelId], tx)).get(channelId);
  if (!channel) throw new NotFoundError();
  return channel;
}

/** The channels with these ids that belong to this owner, by id. */
export function ownCastChannels(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, CastChannelDetails>> {
  return read(
    ctx,
    `${details} WHERE channel.id = ANY ($ids::uuid[]) AND channel.owner_id = $ownerId`,
    { ids, ownerId },
    tx,
  );
}

/** A channel of an active publisher. Throws NotFoundError, also if the id is malformed: page addresses contain it unchecked. */
export async function publicCastChannel(ctx: Context, channelId: string): Promise<PublicCastChannel> {
  const channel = isUuid(channelId) ? (await publicChannels(ctx, [channelId])).get(channelId.toLowerCase()) : undefined;
  if (!channel) throw new NotFoundError();
  return channel;
}

/** The channels with these ids whose publishers are active, by id. Reads the current rows, not the search index. */
export async function publicChannels(ctx: Context, ids: readonly string[]): Promise<Map<string, PublicCastChannel>> {
  const sql = `${withOwner} WHERE channel.id = ANY ($ids::uuid[]) AND ${isVisible}`;
  const channels = [...(await read(ctx, sql, { ids })).values()];
  const publishers = await publishersOf(
    ctx,
    channels.map(({ ownerId }) => ownerId),
  );
  return new Map(
    channels.flatMap((channel) => {
      const publisher = publishers.get(channel.ownerId);
      return publisher ? [[channel.id, { ...channel, publisher }] as const] : [];
    }),
  );
}

async function read(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
  tx?: Transaction,
): Promise<Map<string, CastChannelDetails>> {
  const now = ctx.clock.now();
  const frozenUntil = new Date(now.getTime() + ctx.config.cast.freezeSeconds * 1000);
  const rows = await ctx.db.rows<CastChannelDetails>(sql, { ...bind, now, frozenUntil }, tx);
  return new Map(rows.map((row) => [row.id, row]));
}
