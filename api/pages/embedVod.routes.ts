import Joi from 'joi';
import { previewSeconds } from '../../shared/media/grid.js';
import { qualityOf } from '../../shared/content/quality.queries.js';
import type { Context } from '../../shared/platform/context.js';
import { nullWhereNotFound, UnavailableError } from '../../shared/platform/errors.js';
import { trackingIdOf } from '../http/paymentBody.js';
import type { PlayResult } from '../../shared/playback/playResult.js';
import { playVod, type PlayedVod } from '../../shared/playback/playVod.js';
import { unplayedPayment } from '../../shared/payment/paidView.service.js';
import { documented } from '../http/documented.js';
import { embedUrl } from '../../shared/views/embedUrl.js';
import { choice } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { playerPage, playerTexts } from './embed.page.js';
import { paidOverlay } from './embed.paid.js';
import { sendFramable, sendUnknownItem } from './embed.policy.js';
import { html } from './html.js';
import { messagePage, ownPathOf, pageFrame, onlyItemId, pathOf, posterOf, type PageFrame } from './pageFrame.js';

interface VodQuery {
  readonly vod: string;
  /** Id of a payment that was started on the page. A malformed value counts as not sent. */
  readonly trackingId: string | null;
}

interface PlaybackQuery extends VodQuery {
  readonly kind: 'full' | 'preview';
}

type VodRequest = RequestOf<unknown, VodQuery, unknown>;

/** Query members for a video and its payment. */
export const vodQueryMembers = {
  vod: onlyItemId,
  trackingId: Joi.any()
    .custom((value: unknown) => trackingIdOf(value) ?? undefined)
    .meta(documented({ type: 'string' }))
    .default(null),
};

/** Data with which a page continues when its playback URL has expired, or while it waits for a payment. */
interface Playback {
  readonly result: PlayResult['result'];
  readonly message?: string;
  /** Path of the playlist; empty if nothing can be played. */
  readonly path: string;
  /** Paths of the tracks of preview images and chapters; absent if there are none. */
  readonly storyboard?: string;
  readonly chapters?: string;
  /** Progress of the missing renditions, 0 to 99. Only while they are encoded. */
  readonly preparing?: number;
  /** Whether the payment with the tracking id may still be confirmed. Only if the video must be paid for. */
  readonly isAwaited?: boolean;
}

const playbackResponse = Joi.object({
  playback: Joi.object({
    result: Joi.string().required(),
    message: Joi.string(),
    path: Joi.string().allow('').required().description('Path of the playlist; empty if nothing can be played.'),
    storyboard: Joi.string().description('Path of the track with the seek bar’s preview images.'),
    chapters: Joi.string().description('Path of the track of chapters.'),
    preparing: Joi.number()
      .integer()
      .description('Progress of the missing renditions, 0 to 99; only while they are encoded.'),
    isAwaited: Joi.boolean().description('Whether the payment of `trackingId` may still be confirmed.'),
  }).required(),
});

/** The operation of a video's page script. */
export const embedVodRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/embed/playback',
    status: 200,
    operationId: 'getPlayerPlayback',
    summary: 'Get a new playback URL for the player page',
    description:
      'For a VOD item or its preview, when the page’s playback URL has expired, while further renditions are encoded, or while `isAwaited` says that the payment of `trackingId` may still be confirmed.',
    query: Joi.object<PlaybackQuery>({
      ...vodQueryMembers,
      kind: choice(['full', 'preview']).default('full').description('The full video, or its preview.'),
    }),
    errors: [404],
    response: playbackResponse,
    async handle(request) {
      request.response.setHeader('Cache-Control', 'no-store');
      return { playback: await playbackOf(request) };
    },
  }),
];

async function playbackOf(request: RequestOf<unknown, PlaybackQuery, unknown>): Promise<Playback> {
  const { ctx, language } = request;
  const { trackingId, kind } = request.query;
  // Read before playback: a payment that is already fulfilled, but does not play, is used up.
  const payment = trackingId && (await unplayedPayment(ctx, { kind: 'vod', itemId: request.query.vod }, trackingId));
  const { played, result } = await playVodFor(request, trackingId, kind);
  const preparing = await preparingOf(ctx, played);
  const playback = {
    result: result.result,
    ...(result.message === undefined ? {} : { message: result.message }),
    path: pathOf(ctx, result.uniqueStreamer),
    ...tracksOf(ctx, result),
    ...(preparing === null ? {} : { preparing }),
  };
  if (result.result === 'PLAY' || !payment) return playback;
  return { ...playback, isAwaited: payment.isAwaited, message: ctx.translate(language, payment.messageKey) };
}

/** Paths of the side tracks, which this service itself sends. */
function tracksOf(ctx: Context, { storyboard, chapters }: PlayResult): Pick<Playback, 'storyboard' | 'chapters'> {
  return {
    ...(storyboard === undefined ? {} : { storyboard: ownPathOf(ctx, storyboard) }),
    ...(chapters === undefined ? {} : { chapters: ownPathOf(ctx, chapters) }),
  };
}

function playVodFor(
  { ctx, query: { vod }, language }: VodRequest,
  trackingId: string | null,
  kind: PlaybackQuery['kind'] = 'full',
): Promise<PlayedVod> {
  return playVod(ctx, { vodId: vod, viewer: { userId: null, trackingId }, viewerCode: null, kind, language });
}

/**
 * The play result of the page. If the payment provider does not respond, it is the result of an unpaid viewer, and the page's
 * script asks again. Null: the item does not exist.
 */
async function playForPage(request: VodRequest): Promise<PlayedVod | null> {
  const { trackingId } = request.query;
  try {
    return await playVodFor(request, trackingId);
  } catch (error) {
    if (error instanceof UnavailableError && trackingId !== null)
      return playVodFor(request, null).catch(nullWhereNotFound);
    return nullWhereNotFound(error);
  }
}

/** Progress of the renditions that are being encoded, in percent; null if there are none. */
async function preparingOf(ctx: Context, { item }: PlayedVod['played']): Promise<number | null> {
  const { id } = item.content;
  return (await qualityOf(ctx, [id])).get(id)?.preparing ?? null;
}

/** Sends the page of a video. */
export async function embedVod(request: VodRequest): Promise<void> {
  const { ctx, language, response } = request;
  const frame = pageFrame(request);
  const send = (page: string): void => sendFramable(ctx, response, frame, page);
  const say = (key: string): string => ctx.translate(language, `embed.${key}`);
  // The address contains a proof of payment, so search engines must not list it.
  if (request.query.trackingId !== null) response.setHeader('X-Robots-Tag', 'noindex');
  const played = await playForPage(request);
  if (played === null) return sendUnknownItem(request, frame);
  const { result, message } = played.result;
  if (result === 'PLAY') return send(await playing(request, frame, played));
  if (result === 'PAYMENT_REQUIRED' || result === 'SUBSCRIPTION_REQUIRED')
    return send(await offering(request, frame, played));
  send(messagePage({ ...frame, title: played.played.item.title, text: message ?? say(result) }));
}

async function playing(request: VodRequest, frame: PageFrame, { played, result }: PlayedVod): Promise<string> {
  const { ctx, language } = request;
  const seconds = (played.item.content.durationMs ?? 0) / 1000;
  const { storyboard = '', chapters = '' } = tracksOf(ctx, result);
  return playerPage({
    ...shownOf(ctx, frame, played),
    controls: 'video',
    hasChapters: chapters !== '',
    texts: playerTexts(ctx, language),
    plays: html`
      defaultduration="${seconds}" data-source="${pathOf(ctx, result.uniqueStreamer)}"
      data-renew="${playbackAddress(request, frame)}" data-preparing="${(await preparingOf(ctx, played)) ?? ''}"
      data-storyboard="${storyboard}" data-chapters="${chapters}"
    `,
  });
}

/** The page of a paid video: its preview, and the offer for the full video. */
async function offering(request: VodRequest, frame: PageFrame, { played, result }: PlayedVod): Promise<string> {
  const { ctx, language } = request;
  const { item } = played;
  const shown = shownOf(ctx, frame, played);
  const preview = await playVodFor(request, null, 'preview');
  const seconds = Math.min(previewSeconds, (item.content.durationMs ?? 0) / 1000);
  return playerPage({
    ...shown,
    controls: 'video',
    texts: playerTexts(ctx, language),
    plays: html`
      defaultduration="${seconds}" data-source="${pathOf(ctx, preview.result.uniqueStreamer)}"
      data-renew="${playbackAddress(request, frame)}&kind=preview" data-vod="${item.id}"
      data-pay="${frame.root}/embed/pay" data-ask="${frame.root}/embed/playback?vod=${item.id}" inert
    `,
    overlay: paidOverlay(request, shown, { item, result: result.result }),
  });
}

/** Address of the requests for a new playback URL. */
function playbackAddress({ query: { vod, trackingId } }: VodRequest, { root }: PageFrame): string {
  const paid = trackingId === null ? '' : `&trackingId=${trackingId}`;
  return `${root}/embed/playback?vod=${encodeURIComponent(vod)}${paid}`;
}

/** The members of an item that its page shows. */
function shownOf(ctx: Context, frame: PageFrame, { item, publisher }: PlayedVod['played']) {
  return {
    ...frame,
    title: item.title,
    description: item.description,
    publisher: publisher.user.pageTitle || publisher.user.userCode,
    poster: posterOf(frame, item.thumbnailId),
    address: embedUrl(ctx.config, 'vod', item.id),
  };
}
