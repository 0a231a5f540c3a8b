import { randomUUID } from 'node:crypto';
import { describedChange, describedValues } from '../content/description.service.js';
import type { NamedInput } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, missingMember, ValidationError } from '../platform/errors.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import { assertMaySell } from '../user/sellerRequirements.js';
import { readUser } from '../user/user.queries.js';
import { ownLiveChannel } from './liveChannel.queries.js';
import { lockLiveChannel } from './liveChannel.service.js';
import { ownEvent, type EventDetails } from './event.queries.js';
import { assertMayChange, assertMayDelete } from './eventChange.service.js';
import { changedTimes, errorsOfTimes, type EventTimes } from './eventTimes.js';
import { LiveEvent, type PaymentMode } from './live.model.js';
import { removeRecording, syncRecording } from './recording.lifecycle.js';

/** The members of an event that its owner can set. */
export interface EventDescription extends EventTimes, NamedInput {
  readonly paymentMode: PaymentMode;
  /** With PAY_PER_VIEW, otherwise null. */
  readonly priceCents: number | null;
  /** Undefined: true. */
  readonly public?: boolean | undefined;
  /** Undefined: false. */
  readonly recorded?: boolean | undefined;
}

/**
 * Creates an event on a channel; `docs/contract.md#choices-live`. Throws NotFoundError for the channel of another user;
 * ValidationError if the times are invalid, the live password is missing, the seller's data are incomplete, or the
 * thumbnail is not the owner's; ConflictError if it overlaps with another event of the channel.
 */
export async function createEvent(
  ctx: Context,
  ownerId: string,
  channelId: string,
  input: EventDescription,
): Promise<EventDetails> {
  assertTimes(input);
  await ownLiveChannel(ctx, ownerId, channelId);
  await assertLivePassword(ctx, ownerId);
  await assertMaySellAt(ctx, ownerId, input);
  return ctx.db.transaction(async (tx) => {
    const id = randomUUID();
    const now = ctx.clock.now();
    const lockedId = await lockLiveChannel(ctx, tx, ownerId, channelId);
    await assertNoOverlap(ctx, tx, { id, channelId: lockedId, ...input });
    const event = {
      ...{ id, channelId: lockedId, ownerId },
      ...(await columnsOf(ctx, tx, ownerId, input)),
      public: input.public ?? true,
      recorded: input.recorded ?? false,
      createdAt: now,
      updatedAt: now,
    };
    await ctx.db.model(LiveEvent).create(event, { transaction: tx });
    await syncRecording(ctx, tx, event);
    await ctx.search.markDirty(tx, 'liveEvent', id);
    return ownEvent(ctx, ownerId, id, tx);
  });
}

/** Undefined members stay unchanged. */
export type EventChange = { readonly [Name in keyof EventDescription]?: EventDescription[Name] | undefined };

/**
 * Changes an event; `assertMayChange` limits the changes. `zone`: the time zone in which a sold event must stay on its
 * day. Throws NotFoundError, and the errors of `createEvent`.
 */
export async function updateEvent(
  ctx: Context,
  ownerId: string,
  eventId: string,
  input: EventChange,
  zone: TimeZone,
): Promise<EventDetails> {
  const { paymentMode } = await ownEvent(ctx, ownerId, eventId);
  if (input.paymentMode !== undefined || input.priceCents !== undefined)
    await assertMaySellAt(ctx, ownerId, { paymentMode, ...input });
  return ctx.db.transaction(async (tx) => {
    const present = await lockEvent(ctx, tx, ownerId, eventId);
    const { id, channelId } = present;
    const next = { ...termsAfter(present, input), ...changedTimes(present, { ...present, ...definedTimes(input) }) };
    assertTimes(next);
    await assertMayChange(ctx, tx, present, next, zone);
    await assertNoOverlap(ctx, tx, { id, channelId, ...next });
    const values = {
      name: input.name ?? present.name,
      ...next,
      ...(await describedChange(ctx, tx, ownerId, input)),
      public: input.public ?? present.public,
      recorded: input.recorded ?? present.recorded,
      updatedAt: ctx.clock.now(),
    };
    await ctx.db.model(LiveEvent).update(values, { where: { id }, transaction: tx });
    await syncRecording(ctx, tx, { id, channelId, ownerId, ...values });
    await ctx.search.markDirty(tx, 'liveEvent', id);
    return ownEvent(ctx, ownerId, id, tx);
  });
}

/**
 * Deletes an event; a recording in the box stays. Throws NotFoundError, and the ConflictErrors of `assertMayDelete`.
 */
export async function deleteEvent(ctx: Context, ownerId: string, eventId: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const event = await lockEvent(ctx, tx, ownerId, eventId);
    await assertMayDelete(ctx, tx, event);
    await removeRecording(ctx, tx, event.id);
    await ctx.db.model(LiveEvent).destroy({ where: { id: event.id }, transaction: tx });
    await ctx.search.markDirty(tx, 'liveEvent', event.id);
  });
}

/**
 * Locks an event of this owner after its channel, also against the start of a payment (`lockEventForSale`). Throws
 * NotFoundError.
 */
async function lockEvent(ctx: Context, tx: Transaction, ownerId: string, eventId: string): Promise<LiveEvent> {
  const event = { id: eventId, ownerId };
  const { channelId } = await ctx.db.model(LiveEvent).findOwn(event, { attributes: ['channelId'], transaction: tx });
  await lockLiveChannel(ctx, tx, ownerId, channelId);
  return ctx.db.model(LiveEvent).findOwn(event, { transaction: tx, lock: 'UPDATE' });
}

function assertTimes(times: EventTimes): void {
  const errors = errorsOfTimes(times);
  if (errors.length > 0) throw new ValidationError(errors);
}

/** Encoders cannot publish without a live password (`docs/contract.md#choices-live`). */
async function assertLivePassword(ctx: Context, ownerId: string): Promise<void> {
  const { livePassword } = await readUser(ctx, ownerId);
  if (livePassword !== null) return;
  const key = 'live.passwordMissing';
  throw new ValidationError([{ field: 'features.livePassword', code: 'passwordMissing', key }], { key });
}

/** Payment mode and price of a changed event. Throws ValidationError if it has no price. */
function termsAfter(present: LiveEvent, { paymentMode = present.paymentMode, priceCents }: EventChange) {
  const price = paymentMode === 'PAY_PER_VIEW' ? (priceCents ?? present.priceCents) : null;
  if (paymentMode === 'PAY_PER_VIEW' && price === null) throw missingMember('pricePerView');
  return { paymentMode, priceCents: price };
}

function definedTimes({ startsAt, endsAt }: EventChange): Partial<EventTimes> {
  return { ...(startsAt ? { startsAt } : {}), ...(endsAt ? { endsAt } : {}) };
}

/** Called outside of the transaction, so that it does not lock the user's row. */
async function assertMaySellAt(
  ctx: Context,
  ownerId: string,
  { paymentMode }: Pick<EventChange, 'paymentMode'>,
): Promise<void> {
  if (paymentMode === 'PAY_PER_VIEW') await assertMaySell(ctx, ownerId);
}

/** Events of one channel do not overlap. The caller has locked the channel. */
async function assertNoOverlap(
  ctx: Context,
  tx: Transaction,
  { id, channelId, startsAt, endsAt }: EventTimes & { readonly id: string; readonly channelId: string },
): Promise<void> {
  const [other] = await ctx.db.rows<{ name: string }>(
    `SELECT name FROM live_events
      WHERE channel_id = $channelId AND id <> $id AND starts_at < $endsAt AND ends_at > $startsAt
      ORDER BY starts_at LIMIT 1`,
    { id, channelId, startsAt, endsAt },
    tx,
  );
  if (other) throw new ConflictError({ key: 'live.overlap', values: { name: other.name } });
}

async function columnsOf(ctx: Context, tx: Transaction, ownerId: string, input: EventDescription) {
  const { name, paymentMode, priceCents, startsAt, endsAt } = input;
  const described = await describedValues(ctx, tx, ownerId, input);
  return { name, ...described, paymentMode, priceCents, startsAt, endsAt };
}
