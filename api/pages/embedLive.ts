import { liveCaches } from '../../shared/streaming/liveTimeline.js';
import type { Context } from '../../shared/platform/context.js';
import { liveScopes } from '../../shared/liveScopes.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { rewindStart } from '../../shared/streaming/livePlaylist.queries.js';
import { newestStillImage } from '../../shared/streaming/newestStillImage.queries.js';
import { shownEventOf } from '../../shared/live/channelProgram.queries.js';
import type { PublishedEvent } from '../../shared/live/event.queries.js';
import { unplayedPayment, type UnplayedPayment } from '../../shared/payment/paidView.service.js';
import { paidEntitlement } from '../../shared/playback/entitlement.js';
import { publishedRecording } from '../../shared/playback/liveEventState.queries.js';
import { playLiveEvent, livePlayTermsOf, type PlayedEvent } from '../../shared/playback/playLive.js';
import type { PlayResult } from '../../shared/playback/playResult.js';
import type { RequestOf } from '../http/route.js';
import { eventSaleObstacle } from '../../shared/live/payEvent.service.js';
import { payLabel } from './embed.paid.js';
import { pathOf, rootOf } from './pageFrame.js';

/** The item of a page: an event, or a channel. A channel shows its current event, or else its next one, or else its last one. */
export type LiveShown = { readonly event: string } | { readonly live: string };

/** State of a live event, from which the page's script selects its view (`embed/liveState.js`). */
export interface LiveStatus {
  readonly eventId: string;
  readonly title: string;
  /** `WAITING`: between start and end, but no media can be played. */
  readonly phase: 'BEFORE' | 'WAITING' | 'ON_AIR' | 'OVER';
  /** The server's time and the times of the event, in milliseconds since 1970. */
  readonly now: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** `PAYMENT_REQUIRED` also before the event. */
  readonly result: PlayResult['result'];
  /** The request to pay, the confirmation of a payment, or why the event cannot be played; null if `phase` suffices. */
  readonly message: string | null;
  /** Whether the payment with the tracking id may still be confirmed; absent if it is unknown, or if nothing must be paid. */
  readonly isAwaited?: boolean;
  /** Path of the playlist, or its URL if another server sends it; empty if nothing can be played. */
  readonly address: string;
  /** Path of a still image of the last two minutes, for a viewer who may play; null: there is none. */
  readonly still: string | null;
  /** Start of the rewind range for a viewer who may play, in milliseconds since 1970; null: there is none. */
  readonly rewindFrom: number | null;
  /** Maximum length of the rewind range. */
  readonly rewindSeconds: number;
  /** Label of the pay button, with the price, while the event is for sale. */
  readonly pay: string | null;
  /** Path of the recording's player page, if it is published. */
  readonly recording: string | null;
}

export interface ShownEvent extends PublishedEvent {
  readonly status: LiveStatus;
}

type Reading = Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'language' | 'locale' | 'zone'>;

/**
 * The state of an event for a viewer without a login; `trackingId` is the id of a payment. Throws NotFoundError if the event
 * does not exist, or the channel has no event.
 */
export async function liveStatus(reading: Reading, shown: LiveShown, trackingId: string | null): Promise<ShownEvent> {
  const { ctx, language, zone } = reading;
  const eventId = 'event' in shown ? shown.event : await shownEventOf(ctx, shown.live);
  if (eventId === null) throw new NotFoundError();
  const viewer = { userId: null, trackingId };
  // Read first: the payment may be settled while the event is read.
  const payment = trackingId && (await unplayedPayment(ctx, { kind: 'liveEvent', itemId: eventId }, trackingId));
  const played = await playLiveEvent(ctx, eventId, { viewer, viewerCode: null, language, zone });
  const { event, publisher } = played.played;
  const now = ctx.clock.now();
  const phase = phaseOf(played, now);
  const sale = await saleOf(reading, played, phase, trackingId);
  const status: LiveStatus = {
    eventId,
    title: event.name,
    phase,
    now: now.getTime(),
    startsAt: event.startsAt.getTime(),
    endsAt: event.endsAt.getTime(),
    result: sale === null ? played.result.result : sale.isOpen ? 'PAYMENT_REQUIRED' : 'MESSAGE',
    message: sale?.message ?? messageOf(reading, played, phase),
    ...(sale && payment ? unpaidOf(reading, payment, sale) : {}),
    address: addressOf(ctx, played.result.uniqueStreamer),
    ...(await recentOf(ctx, eventId, played.result)),
    rewindSeconds: ctx.config.live.rewindSeconds,
    pay: sale?.isOpen === true && event.priceCents !== null ? payLabel(reading, event.priceCents) : null,
    recording: phase === 'OVER' ? await recordingOf(reading, eventId) : null,
  };
  return { event, publisher, status };
}

function phaseOf({ played: { event }, result }: PlayedEvent, now: Date): LiveStatus['phase'] {
  if (now >= event.endsAt) return 'OVER';
  if (now < event.startsAt) return 'BEFORE';
  return result.result === 'MESSAGE' ? 'WAITING' : 'ON_AIR';
}

/** The message for an unpaid viewer of a paid event, and whether the event can be bought now. */
interface Sale {
  readonly isOpen: boolean;
  readonly message: string;
}

/**
 * Null for a viewer who need not pay, or has paid. An event is sold before it starts and while it is on air, but not while no
 * encoder publishes. Before the event, the play result is `MESSAGE` for paid and unpaid viewers, so the payment is checked
 * separately.
 */
async function saleOf(
  { ctx, language }: Reading,
  { played: { event }, result }: PlayedEvent,
  phase: LiveStatus['phase'],
  trackingId: string | null,
): Promise<Sale | null> {
  const terms = livePlayTermsOf(event);
  if (terms.for !== 'BUYER' || phase === 'OVER') return null;
  const isUnpaid =
    result.result === 'PAYMENT_REQUIRED' ||
    (result.result === 'MESSAGE' && (await paidEntitlement(ctx, terms.sold, { userId: null, trackingId })) === null);
  if (!isUnpaid) return null;
  const obstacle = (await eventSaleObstacle(ctx, event)) ?? (phase === 'WAITING' ? 'sale.eventOnAir' : null);
  return { isOpen: obstacle === null, message: ctx.translate(language, obstacle ?? 'embed.live.paymentRequired') };
}

/** Adds the reason if the viewer's payment has failed. */
function unpaidOf(
  { ctx, language }: Reading,
  { isAwaited, messageKey }: UnplayedPayment,
  { message }: Sale,
): Pick<LiveStatus, 'isAwaited' | 'message'> {
  return { isAwaited, message: isAwaited ? message : `${ctx.translate(language, messageKey)} ${message}` };
}

function messageOf(
  { ctx, language }: Reading,
  { played: { event }, result }: PlayedEvent,
  phase: LiveStatus['phase'],
): string | null {
  const say = (key: string): string => ctx.translate(language, `embed.${key}`);
  if (result.result === 'BAND_LIMIT_EXCEEDED') return say('BAND_LIMIT_EXCEEDED');
  return phase === 'BEFORE' && event.priceCents !== null ? say('live.paid') : null;
}

function addressOf(ctx: Context, address: string): string {
  return ctx.config.live.playbackUrl === null ? pathOf(ctx, address) : address;
}

/**
 * Still image and rewind range, for a viewer who may play. The playlist's grant also opens the still image, so other viewers cannot
 * see it.
 */
async function recentOf(
  ctx: Context,
  eventId: string,
  { result, uniqueStreamer }: PlayResult,
): Promise<Pick<LiveStatus, 'still' | 'rewindFrom'>> {
  const isShown = result === 'PLAY' && ctx.config.live.playbackUrl === null;
  const scope = isShown ? await liveCaches(ctx).scopes.get(eventId, () => liveScopes.find(ctx, eventId)) : null;
  if (!scope) return { still: null, rewindFrom: null };
  const image = await newestStillImage(ctx, scope);
  return {
    still: image && pathOf(ctx, new URL('still.jpg', uniqueStreamer).href),
    rewindFrom: await rewindStart(ctx, scope),
  };
}

async function recordingOf({ ctx }: Reading, eventId: string): Promise<string | null> {
  const vodId = await publishedRecording(ctx, eventId);
  return vodId === null ? null : `${rootOf(ctx)}/embed/?vod=${vodId}`;
}
