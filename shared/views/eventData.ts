import { itemOfContent } from '../box/box.queries.js';
import { subscriptionById } from '../bundle/subscription.queries.js';
import type { SubscriptionSubject } from '../bundle/subscriptionEvents.service.js';
import { ownVod } from '../bundle/vodWithBundle.queries.js';
import { ownStream } from '../cast/castStream.queries.js';
import type { ContentSubject } from '../content/generation.lifecycle.js';
import type { LimitedQuantity } from '../license/notices.service.js';
import { ownLiveChannel } from '../live/liveChannel.queries.js';
import { ownEvent, ownEventNow } from '../live/event.queries.js';
import { LiveRecording } from '../live/live.model.js';
import type { PaymentSubject } from '../payment/payment.lifecycle.js';
import { findPayment } from '../payment/payment.queries.js';
import { NotFoundError } from '../platform/errors.js';
import type { EventReader } from '../webhook/eventRegistry.js';
import { LiveStream, type LiveStream as StreamRow } from '../streaming/streaming.model.js';
import type { StreamSubject } from '../streaming/liveSession.lifecycle.js';
import { boxItemViews } from './box.views.js';
import { subscriptionView } from './bundle.views.js';
import { castStreamView } from './cast.views.js';
import { privateEvent, privateLiveChannelView } from './live.views.js';
import { licenseStateView, ownUsageView } from './overview.views.js';
import { paymentView } from './payment.views.js';
import { privateVod } from './vod.views.js';

/*
 * The data of events: private views of what the event is about, each under the name of its kind. Null where it is gone:
 * then there is no event.
 */

/** The box item of a content. */
export async function boxItemData(reader: EventReader, { contentId }: ContentSubject) {
  const found = await boxItemOf(reader, contentId);
  return found && { boxItem: found.view };
}

async function boxItemOf(reader: EventReader, contentId: string): Promise<{ id: string; view: object } | null> {
  const item = await itemOfContent(reader.ctx, reader.userId, contentId);
  if (!item) return null;
  const [view = {}] = await boxItemViews([item], reader);
  return { id: item.id, view };
}

/** The box item of a recording, and the event that was recorded, unless it is deleted. */
export async function recordingData(reader: EventReader, { contentId }: ContentSubject) {
  const { ctx, userId, zone } = reader;
  const item = await boxItemOf(reader, contentId);
  if (!item) return null;
  const recording = await ctx.db.model(LiveRecording).findOne({ where: { boxItemId: item.id } });
  const event = recording && (await ifThere(ownEvent(ctx, userId, recording.eventId)));
  return { boxItem: item.view, ...(event ? { event: privateEvent(event, ctx.config, zone) } : {}) };
}

export async function vodData({ ctx, userId, zone }: EventReader, { vodId }: { readonly vodId: string }) {
  return { vod: privateVod(await ownVod(ctx, userId, vodId), ctx.config, zone) };
}

export async function paymentData({ ctx, zone }: EventReader, { trackingId, role }: PaymentSubject) {
  const payment = await findPayment(ctx, trackingId);
  return payment && { role, payment: paymentView(payment, zone) };
}

export async function subscriptionData({ ctx, zone }: EventReader, { subscriptionId, role }: SubscriptionSubject) {
  const subscription = await subscriptionById(ctx, subscriptionId);
  return subscription ? { role, subscription: subscriptionView(subscription, zone) } : null;
}

/** A live channel, with its event if it is the time of one; or a cast stream. */
export async function streamData({ ctx, userId, zone }: EventReader, { streamId }: StreamSubject) {
  const stream = await ctx.db.model(LiveStream).findByPk(streamId);
  if (stream === null || !isPublishedTo(stream)) return null;
  if (stream.kind === 'CAST_STREAM') {
    const castStream = await ifThere(ownStream(ctx, { streamId, ownerId: userId }));
    return castStream && { stream: castStreamView(castStream, ctx.config) };
  }
  const channel = await ifThere(ownLiveChannel(ctx, userId, streamId));
  if (!channel) return null;
  const event = await ownEventNow(ctx, userId, streamId);
  return {
    channel: privateLiveChannelView(channel, ctx.config),
    ...(event ? { event: privateEvent(event, ctx.config, zone) } : {}),
  };
}

export async function licenseData(reader: EventReader) {
  return { license: await licenseStateView(reader) };
}

export async function quotaData(
  reader: EventReader,
  { quantity, percent }: { readonly quantity: LimitedQuantity; readonly percent: number },
) {
  return { quantity, percent, usage: await ownUsageView(reader) };
}

/** Encoders do not publish to cast channels. A deleted stream has no path. */
function isPublishedTo({ kind, path }: StreamRow): boolean {
  return kind !== 'CAST_CHANNEL' && path !== null;
}

/** Null where it is not found. */
async function ifThere<Result>(read: Promise<Result>): Promise<Result | null> {
  try {
    return await read;
  } catch (error) {
    if (error instanceof NotFoundError) return null;
    throw error;
  }
}
