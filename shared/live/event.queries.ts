import { publishersOf, type Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { NotFoundError, orNotFound } from '../platform/errors.js';
import { streamStates } from '../streaming/liveState.queries.js';
import { channelsOf, type LiveChannelDetails } from './liveChannel.queries.js';
import type { LiveEvent } from './live.model.js';
import { liveVisibility } from './live.visibility.js';

/** An event as shown to users; `docs/contract.md#fields-live-event`. */
export interface EventDetails extends EventRow {
  readonly channel: LiveChannelDetails;
  /** The event has begun and not ended, and its channel receives media (`streamStates`). */
  readonly isOnAir: boolean;
}

type EventRow = Pick<
  LiveEvent,
  | 'id'
  | 'channelId'
  | 'ownerId'
  | 'name'
  | 'description'
  | 'thumbnailId'
  | 'tags'
  | 'paymentMode'
  | 'priceCents'
  | 'startsAt'
  | 'endsAt'
  | 'public'
  | 'recorded'
>;

/** An event with its channel's publisher, in the public view. */
export interface PublishedEvent {
  readonly event: EventDetails;
  readonly publisher: Publisher;
}

const details = `
  SELECT event.id, event.channel_id, event.owner_id, event.name, event.description, event.thumbnail_id, event.tags,
         event.payment_mode, event.price_cents, event.starts_at, event.ends_at, event.public, event.recorded
    FROM live_events event`;
const withOwner = `${details} JOIN users owner ON owner.id = event.owner_id`;

/** An event of this owner. Throws NotFoundError if it does not exist or belongs to another user. */
export async function ownEvent(
  ctx: Context,
  ownerId: string,
  eventId: string,
  tx?: Transaction,
): Promise<EventDetails> {
  return orNotFound((await ownEvents(ctx, ownerId, [eventId], tx)).get(eventId));
}

/** The events with these ids that belong to this owner, by id. */
export function ownEvents(
  ctx: Context,
  ownerId: string,
  ids: readonly string[],
  tx?: Transaction,
): Promise<Map<string, EventDetails>> {
  return read(ctx, `${details} WHERE ${ownRows('event')}`, { ids, ownerId }, tx);
}

/** The channel's event at a point in time. */
export async function ownEventAt(
  ctx: Context,
  ownerId: string,
  channelId: string,
  at: Date,
): Promise<EventDetails | undefined> {
  const sql = `${details} WHERE event.channel_id = $channelId AND event.owner_id = $ownerId
                 AND event.starts_at <= $at AND event.ends_at > $at`;
  const [event] = (await read(ctx, sql, { channelId, ownerId, at })).values();
  return event;
}

/** An event of an active publisher, for anyone who has its id. Throws NotFoundError. */
export async function visibleEvent(ctx: Context, eventId: string): Promise<PublishedEvent> {
  const sql = `${withOwner} WHERE event.id = $eventId AND ${liveVisibility.byId}`;
  return only(ctx, await read(ctx, sql, { eventId }));
}

/** An event for viewers who have paid for it, also if its publisher is disabled. Throws NotFoundError. */
export async function soldEvent(ctx: Context, eventId: string): Promise<PublishedEvent> {
  return only(ctx, await read(ctx, `${details} WHERE event.id = $eventId`, { eventId }));
}

/**
 * The channel's event that is on air, public or unlisted, of an active publisher. There is at most one, because events
 * of a channel do not overlap. Throws NotFoundError.
 */
export async function eventOnAirOf(ctx: Context, channelId: string): Promise<PublishedEvent> {
  const sql = `${withOwner}
    WHERE event.channel_id = $channelId AND event.starts_at <= $now AND event.ends_at > $now AND ${liveVisibility.byId}`;
  const found = await only(ctx, await read(ctx, sql, { channelId, now: ctx.clock.now() }));
  if (!found.event.isOnAir) throw new NotFoundError();
  return found;
}

/**
 * The events with these ids that the public search may return, by id. Read from the current rows, not from the index.
 */
export async function listedEvents(ctx: Context, ids: readonly string[]): Promise<Map<string, PublishedEvent>> {
  const sql = `${withOwner} JOIN live_channels channel ON channel.id = event.channel_id
    WHERE event.id = ANY ($ids::uuid[]) AND ${liveVisibility.eventInSearch}`;
  return withPublishers(ctx, await read(ctx, sql, { ids }));
}

async function read(
  ctx: Context,
  sql: string,
  bind: Record<string, unknown>,
  tx?: Transaction,
): Promise<Map<string, EventDetails>> {
  const rows = await ctx.db.rows<EventRow>(sql, bind, tx);
  if (rows.length === 0) return new Map();
  const now = ctx.clock.now();
  const isNow = ({ startsAt, endsAt }: EventRow): boolean => startsAt <= now && now < endsAt;
  const states = await streamStates(ctx, channelIds(rows.filter(isNow)));
  const channels = await channelsOf(ctx, channelIds(rows), tx);
  return new Map(
    rows.flatMap((row) => {
      const channel = channels.get(row.channelId);
      const isOnAir = isNow(row) && states.get(row.channelId)?.isReceiving === true;
      // The channel was deleted between the two statements, with all its events.
      return channel ? [[row.id, { ...row, channel, isOnAir }] as const] : [];
    }),
  );
}

function channelIds(rows: readonly EventRow[]): string[] {
  return [...new Set(rows.map(({ channelId }) => channelId))];
}

/** The first of the events, with its publisher. Throws NotFoundError if the map is empty. */
async function only(ctx: Context, events: ReadonlyMap<string, EventDetails>): Promise<PublishedEvent> {
  const [found] = (await withPublishers(ctx, events)).values();
  return orNotFound(found);
}

async function withPublishers(
  ctx: Context,
  events: ReadonlyMap<string, EventDetails>,
): Promise<Map<string, PublishedEvent>> {
  const publishers = await publishersOf(
    ctx,
    [...events.values()].map(({ ownerId }) => ownerId),
  );
  return new Map(
    [...events.values()].flatMap((event) => {
      const publisher = publishers.get(event.ownerId);
      return publisher ? [[event.id, { event, publisher }] as const] : [];
    }),
  );
}
