import type { CastPlaylistForm } from '../cast/playout/index.js';
import { isBandExceeded } from '../license/band.service.js';
import { eventOnAirOf, soldEvent, visibleEvent, type PublishedEvent } from '../live/event.queries.js';
import type { Context } from '../platform/context.js';
import { nullWhereNotFound, NotFoundError } from '../platform/errors.js';
import { streamStates } from '../streaming/liveState.queries.js';
import { entitlementOf, paidEntitlement, type PlayTerms, type Sold } from './entitlement.js';
import { eventAddresses, testAddresses } from './liveAddresses.js';
import type { Reader } from '../platform/formats/reader.js';
import { offAirOf, type OffAir } from './liveEventState.queries.js';
import type { Viewer } from '../payment/paidView.service.js';
import { blockedPlay, type PlayResult } from './playResult.js';

export interface LivePlayedBy extends Reader {
  readonly viewer: Viewer;
  /** User code of the viewer. Null with a public token. */
  readonly viewerCode: string | null;
}

export interface PlayedEvent {
  readonly played: PublishedEvent;
  readonly result: PlayResult;
}

/**
 * Plays an event for a viewer: `docs/contract.md#choices-live`, `docs/contract.md#choices-playback`. Checks first whether it is
 * on air, so that nobody is asked to pay for an event that cannot be watched. A viewer who has paid can continue to play it if
 * the publisher is disabled or has no band left. Throws NotFoundError if the viewer may not see the event; UnavailableError if
 * the payment provider must be queried and cannot be reached.
 */
export async function playLiveEvent(
  ctx: Context,
  eventId: string,
  by: LivePlayedBy,
  form?: CastPlaylistForm,
): Promise<PlayedEvent> {
  const shown = await visibleEvent(ctx, eventId).catch(nullWhereNotFound);
  const played = shown ?? (await soldEvent(ctx, eventId));
  return { played, result: await play(ctx, played, { by, form, isShown: shown !== null }) };
}

/** Plays the event on air of a channel. Throws NotFoundError if there is none, and the errors of `playLiveEvent`. */
export async function playLiveChannel(
  ctx: Context,
  channelId: string,
  by: LivePlayedBy,
  form?: CastPlaylistForm,
): Promise<PlayedEvent> {
  const played = await eventOnAirOf(ctx, channelId);
  return { played, result: await play(ctx, played, { by, form, isShown: true }) };
}

/**
 * Plays the publication to a live channel or cast stream for its owner, with or without an event or program, free of charge
 * (`docs/contract.md#choices-live`). The caller has checked the ownership. `missing`: key of the message while nothing is
 * published.
 */
export async function testEncoder(
  ctx: Context,
  stream: { readonly id: string; readonly ownerId: string; readonly streamPath: string },
  ownerCode: string,
  { language, missing }: Pick<Reader, 'language'> & { readonly missing: string },
): Promise<PlayResult> {
  const { id, ownerId, streamPath } = stream;
  const message = (key: string): PlayResult => blockedPlay('MESSAGE', ctx.translate(language, key));
  const state = (await streamStates(ctx, [id])).get(id);
  if (state?.isReceiving !== true) return message(missing);
  if (ctx.config.live.playbackUrl === null && !state.hasSegments) return message('playback.live.starting');
  if (await isBandExceeded(ctx, ownerId)) return blockedPlay('BAND_LIMIT_EXCEEDED');
  return testAddresses(ctx, { id, streamPath, publisherCode: ownerCode });
}

/** The condition for watching an event. */
export function livePlayTermsOf(event: Pick<PublishedEvent['event'], 'id' | 'paymentMode'>): PlayTerms {
  return event.paymentMode === 'FREE' ? { for: 'ANYBODY' } : { for: 'BUYER', sold: soldOf(event) };
}

interface Played {
  readonly by: LivePlayedBy;
  readonly form: CastPlaylistForm | undefined;
  /** Everybody may see the event. */
  readonly isShown: boolean;
}

async function play(
  ctx: Context,
  { event, publisher }: PublishedEvent,
  { by, form, isShown }: Played,
): Promise<PlayResult> {
  const { ownerId, endsAt } = event;
  const offAir = await offAirOf(ctx, event, by);
  if (offAir && !isShown) throw new NotFoundError();
  if (offAir) return blockedPlay('MESSAGE', await messageFor(ctx, event, offAir, by));
  const isOpen = isShown && !(await isBandExceeded(ctx, ownerId));
  const entitlement = isOpen
    ? await entitlementOf(ctx, { ownerId, terms: livePlayTermsOf(event) }, by.viewer)
    : await paidEntitlement(ctx, soldOf(event), by.viewer);
  if (!entitlement && !isShown) throw new NotFoundError();
  if (!entitlement) return blockedPlay('BAND_LIMIT_EXCEEDED');
  if (entitlement.result !== 'PLAY') return blockedPlay('PAYMENT_REQUIRED');
  const publisherCode = publisher.user.userCode;
  const scope = { id: event.id, streamPath: event.channel.streamPath, publisherCode };
  return eventAddresses(ctx, scope, by.viewerCode, endsAt, form);
}

/**
 * The message of an event that cannot be played. Before the end of the event, the viewer's payment is verified and confirmed
 * in the message.
 */
async function messageFor(
  ctx: Context,
  event: PublishedEvent['event'],
  { isOver, message }: OffAir,
  { viewer, language }: LivePlayedBy,
): Promise<string> {
  const mayHavePaid = !isOver && event.paymentMode === 'PAY_PER_VIEW' && viewer.userId !== event.ownerId;
  const hasPaid = mayHavePaid && (await paidEntitlement(ctx, soldOf(event), viewer)) !== null;
  return hasPaid ? `${ctx.translate(language, 'playback.live.paid')} ${message}` : message;
}

/** A free event may have been sold earlier. */
function soldOf({ id }: Pick<PublishedEvent['event'], 'id'>): Sold {
  return { bought: { kind: 'liveEvent', itemId: id }, bundleId: null };
}
