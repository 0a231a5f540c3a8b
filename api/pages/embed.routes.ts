import Joi from 'joi';
import { qualityOf } from '../../shared/content/quality.queries.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import type { PlayResult } from '../../shared/playback/playResult.js';
import { playVod, type PlayedVod } from '../../shared/playback/playVod.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { playerPage, playerTexts } from './embed.page.js';
import { offerOf, paidPage } from './embed.paid.js';
import { sendFramable } from './embed.policy.js';
import { embedCast, embedCastRoutes } from './embedCast.routes.js';
import { embedLive, embedLiveRoutes } from './embedLive.routes.js';
import { html } from './html.js';
import { messagePage, pageFrame, pathOf, posterOf, type PageFrame } from './page.js';

interface EmbedQuery {
  readonly vod: string;
  /** A live channel, or an event, or a cast channel; without them, `vod` is played. */
  readonly live: string;
  readonly event: string;
  readonly cast: string;
}

type EmbedRequest = RequestOf<unknown, EmbedQuery, unknown>;

const givenId = Joi.string().max(100).allow('').default('');
const query = Joi.object<EmbedQuery>({ vod: givenId, live: givenId, event: givenId, cast: givenId });

/** What a page needs to continue when its playback URL has expired. */
interface Playback {
  readonly result: PlayResult['result'];
  readonly message?: string;
  /** Path of the playlist; empty if nothing can be played. */
  readonly path: string;
  /** How far the missing renditions are, 0 to 99. Only while they are made. */
  readonly preparing?: number;
}

const playbackResponse = Joi.object({
  playback: Joi.object({
    result: Joi.string().required(),
    message: Joi.string(),
    path: Joi.string().allow('').required().description('Path of the playlist; empty where nothing can be played.'),
    preparing: Joi.number()
      .integer()
      .description('How far the missing renditions are, 0 to 99; only while they are made.'),
  }).required(),
});

/**
 * The player page, for frames on other sites. It has no login, so it plays what a client with a public token may play.
 */
export const embedRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/embed',
    status: 200,
    operationId: 'getPlayerPage',
    summary: 'Show the player page',
    description:
      'Of a VOD item, a live event, what a live channel shows, or a cast channel, for frames on other sites. Plays what a public token may play.',
    query,
    response: null,
    otherResponses: { 200: ['text/html'], 404: ['text/html'] },
    handle: embed,
  }),
  defineRoute({
    method: 'get',
    path: '/embed/playback',
    status: 200,
    operationId: 'getPlayerPlayback',
    summary: 'Get a fresh address for the player page',
    description: 'Of a VOD item, when the address that the page has is about to expire.',
    query,
    errors: [404],
    response: playbackResponse,
    async handle(request) {
      request.response.setHeader('Cache-Control', 'no-store');
      const { played, result } = await playPublicly(request);
      const { result: outcome, message } = result;
      const preparing = await preparingOf(request.ctx, played);
      const playback: Playback = {
        result: outcome,
        ...(message === undefined ? {} : { message }),
        path: pathOf(result.uniqueStreamer),
        ...(preparing === null ? {} : { preparing }),
      };
      return { playback };
    },
  }),
  ...embedLiveRoutes,
  ...embedCastRoutes,
];

function playPublicly({ ctx, query: { vod }, language }: EmbedRequest): Promise<PlayedVod> {
  const anonymous = { viewer: { userId: null, trackingId: null }, viewerCode: null };
  return playVod(ctx, { vodId: vod, ...anonymous, kind: 'full', language });
}

/** How far the renditions of an item are that are still made, in percent. Null: none is made. */
async function preparingOf(ctx: Context, { item }: PlayedVod['played']): Promise<number | null> {
  const { id } = item.content;
  return (await qualityOf(ctx, [id])).get(id)?.preparing ?? null;
}

async function embed(request: EmbedRequest): Promise<void> {
  const { ctx, language, response } = request;
  if (request.query.live !== '' || request.query.event !== '') return embedLive(request);
  if (request.query.cast !== '') return embedCast(request);
  const frame = pageFrame(request);
  const send = (page: string, status = 200): void => sendFramable(ctx, response, frame, page, status);
  const translate = (key: string): string => ctx.translate(language, `embed.${key}`);
  const played = await playPublicly(request).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  if (played === null)
    return send(messagePage({ ...frame, title: translate('notFound'), text: translate('notFoundText') }), 404);
  const { result } = played;
  if (result.result === 'PAYMENT_REQUIRED' || result.result === 'SUBSCRIPTION_REQUIRED')
    return send(paying(request, frame, played));
  if (result.result !== 'PLAY') {
    const text = result.message ?? translate(result.result);
    return send(messagePage({ ...frame, title: played.played.item.title, text }));
  }
  const preparing = await preparingOf(ctx, played.played);
  return send(playing(request, frame, played, preparing));
}

function playing(
  { ctx, query: { vod }, language }: EmbedRequest,
  frame: PageFrame,
  { played, result }: PlayedVod,
  preparing: number | null,
): string {
  const seconds = (played.item.content.durationMs ?? 0) / 1000;
  const renew = `${frame.root}/embed/playback?vod=${encodeURIComponent(vod)}`;
  return playerPage({
    ...shownOf(ctx, frame, played),
    controls: 'video',
    texts: playerTexts(ctx, language),
    plays: html`
      defaultduration="${seconds}" data-source="${pathOf(result.uniqueStreamer)}" data-renew="${renew}"
      data-preparing="${preparing ?? ''}"
    `,
  });
}

function paying({ ctx, language }: EmbedRequest, frame: PageFrame, { played, result }: PlayedVod): string {
  return paidPage({
    ...shownOf(ctx, frame, played),
    text: ctx.translate(language, `embed.${result.result}`),
    offer: offerOf(played.item, language, ctx.config.payments.currency),
  });
}

/** What the pages with and without player show of an item. */
function shownOf(ctx: Context, frame: PageFrame, { item, publisher }: PlayedVod['played']) {
  return {
    ...frame,
    title: item.title,
    description: item.description,
    publisher: publisher.user.pageTitle || publisher.user.userCode,
    poster: posterOf(frame, item.thumbnailId),
    origin: new URL(ctx.config.service.publicUrl).origin,
  };
}
