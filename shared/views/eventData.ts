import { itemOfContent, ownItem, type BoxItemWithContent } from '../box/box.queries.js';
import { ownBundles } from '../bundle/bundle.queries.js';
import { subscriptionById } from '../bundle/subscription.queries.js';
import type { SubscriptionSubject } from '../bundle/subscriptionEvents.service.js';
import { ownStream, type CastStreamDetails } from '../cast/castStream.queries.js';
import type { ContentSubject } from '../content/generation.lifecycle.js';
import type { LimitedQuantity } from '../license/notices.service.js';
import { licenseOf } from '../license/overview.queries.js';
import type { LicenseSubject } from '../license/period.lifecycle.js';
import { ownLiveChannel, type LiveChannelDetails } from '../live/liveChannel.queries.js';
import { ownEvent, ownEventAt } from '../live/event.queries.js';
import { LiveRecording } from '../live/live.model.js';
import type { PaymentSubject } from '../payment/payment.lifecycle.js';
import { findPayment } from '../payment/payment.queries.js';
import { NotFoundError } from '../platform/errors.js';
import type { StoredSubject } from '../platform/eventSubjects.js';
import type { EventReader } from '../webhook/eventRegistry.js';
import { LiveStream } from '../streaming/streaming.model.js';
import type { StreamSubject } from '../streaming/liveSession.lifecycle.js';
import type { VodSubject } from '../vod/vod.service.js';
import { boxItemViews } from './box.views.js';
import { subscriptionView } from './bundle.views.js';
import { castStreamView } from './cast.views.js';
import { privateEvent, privateLiveChannelView } from './live.views.js';
import { licenseMembers, ownUsageView } from './overview.views.js';
import { paymentView } from './payment.views.js';
import { privateVod } from './vod.views.js';

/*
 * The data of events: private views of their subjects, each under the name of its kind. Recorded state replaces the state of the
 * rows, and recorded rows replace deleted ones. Null: the subject was deleted and not recorded.
 */

/** The box item of a content. */
export async function boxItemData(reader: EventReader, subject: StoredSubject<ContentSubject>) {
  const found = await boxItemOf(reader, subject);
  return found && { boxItem: found.view };
}

async function boxItemOf(
  reader: EventReader,
  subject: StoredSubject<ContentSubject>,
): Promise<{ id: string; view: object } | null> {
  const item = (await itemOfContent(reader.ctx, reader.userId, subject.contentId)) ?? deletedItem(subject);
  if (!item) return null;
  const { state = item.content.state, failureKey = item.content.failureKey } = subject;
  const [view = {}] = await boxItemViews([{ ...item, content: { ...item.content, state, failureKey } }], reader);
  // Members of the present generation, which did not exist at the time of the event.
  if (state !== 'READY') Object.assign(view, { renditions: undefined, preparing: undefined });
  return { id: item.id, view };
}

function deletedItem({ deleted }: StoredSubject<object>): BoxItemWithContent | undefined {
  const item = deleted as BoxItemWithContent | undefined;
  return (
    item && { ...item, createdAt: new Date(item.createdAt), expiresAt: item.expiresAt && new Date(item.expiresAt) }
  );
}

/** The box item of a recording, and the event that was recorded, unless it is deleted. */
export async function recordingData(reader: EventReader, subject: StoredSubject<ContentSubject>) {
  const { ctx, userId, zone } = reader;
  const item = await boxItemOf(reader, subject);
  if (!item) return null;
  const recording = await ctx.db.model(LiveRecording).findOne({ where: { boxItemId: item.id } });
  const event = recording && (await ifThere(ownEvent(ctx, userId, recording.eventId)));
  return { boxItem: item.view, ...(event ? { event: privateEvent(event, ctx.config, zone) } : {}) };
}

/** A VOD item with its recorded conditions. */
export async function vodData({ ctx, userId, zone }: EventReader, subject: StoredSubject<VodSubject>) {
  const { vodId, boxItemId, bundleId, deleted: _deleted, ...conditions } = subject;
  const item = (await ifThere(ownItem(ctx, userId, boxItemId))) ?? deletedItem(subject);
  if (!item) return null;
  const bundles = bundleId === null ? undefined : await ownBundles(ctx, userId, [bundleId]);
  const ends = [item.expiresAt, conditions.expiresAt].flatMap((end) => (end === null ? [] : [new Date(end).getTime()]));
  const vod = {
    ...{ ...item, ...conditions, id: vodId, boxItemId, bundleId, bundle: bundles?.get(bundleId ?? '') ?? null },
    publishedAt: new Date(conditions.publishedAt),
    expiresAt: ends.length === 0 ? null : new Date(Math.min(...ends)),
  };
  return { vod: privateVod(vod, ctx.config, zone) };
}

export async function paymentData({ ctx, zone }: EventReader, { trackingId, role, status }: PaymentSubject) {
  const payment = await findPayment(ctx, trackingId);
  return payment && { role, payment: paymentView({ ...payment, state: status ?? payment.state }, zone) };
}

export async function subscriptionData({ ctx, zone }: EventReader, { role, ...recorded }: SubscriptionSubject) {
  const subscription = await subscriptionById(ctx, recorded.subscriptionId);
  if (!subscription) return null;
  const { subscribedAt = subscription.subscribedAt, expiresAt = subscription.expiresAt } = recorded;
  const period = { subscribedAt: new Date(subscribedAt), expiresAt: new Date(expiresAt) };
  return { role, subscription: subscriptionView({ ...subscription, ...period }, zone) };
}

/** A live channel, with its event if there was one at that time; or a cast stream. */
export async function streamData(reader: EventReader, { streamId, ...recorded }: StoredSubject<StreamSubject>) {
  const { ctx, userId, zone, occurredAt } = reader;
  // The row of a stream is kept when its channel is deleted.
  const stream = await ctx.db.model(LiveStream).findByPk(streamId);
  // Encoders do not publish to cast channels.
  if (stream === null || stream.kind === 'CAST_CHANNEL') return null;
  if (stream.kind === 'CAST_STREAM') {
    const present = await ifThere(ownStream(ctx, { streamId, ownerId: userId }));
    const castStream = present ?? (recorded.deleted as CastStreamDetails | undefined);
    return castStream ? { stream: castStreamView(castStream, ctx.config) } : null;
  }
  const present = await ifThere(ownLiveChannel(ctx, userId, streamId));
  const channel = present ?? (recorded.deleted as LiveChannelDetails | undefined);
  if (!channel) return null;
  const event = await ownEventAt(ctx, userId, streamId, occurredAt);
  const isOnAir = recorded.isReceiving ?? event?.isOnAir ?? false;
  return {
    channel: privateLiveChannelView(channel, ctx.config),
    ...(event ? { event: privateEvent({ ...event, isOnAir }, ctx.config, zone) } : {}),
  };
}

export async function licenseData({ ctx, userId, zone, occurredAt }: EventReader, { license }: LicenseSubject) {
  return { license: licenseMembers(await licenseOf(ctx, userId, occurredAt, license), occurredAt, zone) };
}

export async function quotaData(
  reader: EventReader,
  { quantity, percent }: { readonly quantity: LimitedQuantity; readonly percent: number },
) {
  return { quantity, percent, usage: await ownUsageView(reader) };
}

/** Null if it is not found. */
async function ifThere<Result>(read: Promise<Result>): Promise<Result | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
