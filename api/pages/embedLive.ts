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

/** What a page shows: an event, or the event of a channel that is on air, or else its next one, or else its last one. */
export type LiveShown = { readonly event: string } | { readonly live: string };

/** What the page of a live event needs to know; its script decides by this what it shows (`embed/liveState.js`). */
export interface LiveStatus {
  readonly eventId: string;
  readonly title: string;
  /** `WAITING`: between start and end, and nothing can be played. */
  readonly phase: 'BEFORE' | 'WAITING' | 'ON_AIR' | 'OVER';
  /** Time of the server, and times of the event, in milliseconds since 1970. */
  readonly now: number;
  readonly startsAt: number;
  readonly endsAt: number;
  /** `PAYMENT_REQUIRED` also before the event. */
  readonly result: PlayResult['result'];
  /** What the phase does not say: that it must be paid, that it was paid, why it cannot be played. */
  readonly message: string | null;
  /** Whether the payment with the tracking id may still be confirmed; absent if it is unknown, or if nothing must be paid. */
  readonly isAwaited?: boolean;
  /** Path of the playlist, or its whole address where another server sends it; empty if nothing can be played. */
  readonly address: string;
  /** Path of a frame of the last minute, for a viewer who may play; null: there is none. */
  readonly still: string | null;
  /** The first moment that a viewer who may play can go back to, in milliseconds since 1970; null: there is none. */
  readonly rewindFrom: number | null;
  /** No viewer can go back further than this. */
  readonly rewindSeconds: number;
  /** Label of the button that pays, with the price, while the event is for sale. */
  readonly pay: string | null;
  /** Path of the page that plays the recording, when it is published. */
  readonly recording: string | null;
}

export interface ShownEvent extends PublishedEvent {
  readonly status: LiveStatus;
}

type Reading = Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'language' | 'locale' | 'zone'>;

/**
 * The state of an event for a viewer without a login; `trackingId` is that of a payment. Throws NotFoundError if there is
 * no such event, or a channel has none.
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

/** What an unpaid viewer of a paid event reads, and whether the event can be bought now. */
interface Sale {
  readonly isOpen: boolean;
  readonly message: string;
}

/**
 * Null for a viewer who needs not pay, or not any more. An event is sold before it begins and while it is on air; nobody is
 * asked to pay while no encoder publishes. Before the event, play says that it is not on air, whether it was paid or not.
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

/** A viewer whose payment has failed reads why. */
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
 * What was on air until now, for a viewer who may play. The grant of the playlist opens the still too, so nobody sees it who may not play.
 */
async function recentOf(
  ctx: Context,
  eventId: string,
  { result, uniqueStreamer }: PlayResult,
): Promise<Pick<LiveStatus, 'still' | 'rewindFrom'>> {
  const isShown = result === 'PLAY' && ctx.config.live.playbackUrl === null;
  const scope = isShown ? await liveCaches(ctx).scopes.get(eventId, () => liveScopes.find(ctx, eventId)) : null;
  if (!scope) return { still: null, rewindFrom: null };
  const still = await newestStillImage(ctx, scope);
  return {
    still: still && pathOf(ctx, new URL('still.jpg', uniqueStreamer).href),
    rewindFrom: await rewindStart(ctx, scope),
  };
}

async function recordingOf({ ctx }: Reading, eventId: string): Promise<string | null> {
  const vodId = await publishedRecording(ctx, eventId);
  return vodId === null ? null : `${rootOf(ctx)}/embed/?vod=${vodId}`;
}
