import { randomBytes } from 'node:crypto';
import Joi from 'joi';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import type { PlayResult } from '../../shared/playback/playResult.js';
import { playVod, type PlayedVod } from '../../shared/playback/playVod.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { offerOf, paidPage } from './embed.paid.js';
import { messagePage, playerPage, playerWords, type PageFrame, type PlayerWords } from './embed.page.js';

interface EmbedQuery {
  readonly vod: string;
}

type EmbedRequest = RequestOf<unknown, EmbedQuery, unknown>;

const posterWidth = 1280;

const query = Joi.object<EmbedQuery>({ vod: Joi.string().max(100).allow('').default('') });

/** What a page needs to continue when its playback URL has expired. */
interface Playback {
  readonly result: PlayResult['result'];
  readonly message?: string;
  /** Path of the playlist; empty if nothing can be played. */
  readonly path: string;
}

const playbackResponse = Joi.object({
  playback: Joi.object({
    result: Joi.string().required(),
    message: Joi.string(),
    path: Joi.string().allow('').required(),
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
    summary: 'A page that plays a published item',
    query,
    response: null,
    otherResponses: { 200: ['text/html'], 404: ['text/html'] },
    handle: embed,
  }),
  defineRoute({
    method: 'get',
    path: '/embed/playback',
    status: 200,
    summary: 'A new playback URL for a player page whose own has expired',
    query,
    errors: [404],
    response: playbackResponse,
    async handle(request) {
      request.response.setHeader('Cache-Control', 'no-store');
      const { result } = await playPublicly(request);
      const { result: outcome, message } = result;
      const playback: Playback = {
        result: outcome,
        ...(message === undefined ? {} : { message }),
        path: pathOf(result.uniqueStreamer),
      };
      return { playback };
    },
  }),
];

function playPublicly({ ctx, query: { vod }, language }: EmbedRequest): Promise<PlayedVod> {
  const anonymous = { viewer: { userId: null, trackingId: null }, viewerCode: null };
  return playVod(ctx, { vodId: vod, ...anonymous, kind: 'full', language });
}

async function embed(request: EmbedRequest): Promise<void> {
  const { ctx, language } = request;
  const frame: PageFrame = { root: rootOf(ctx), language, nonce: randomBytes(16).toString('base64') };
  const translate = (key: string): string => ctx.translate(language, key);
  const played = await playPublicly(request).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
  if (played === null)
    return sendPage(
      request,
      frame,
      404,
      messagePage({ ...frame, title: translate('embed.notFound'), text: translate('embed.notFoundText') }),
    );
  const { result } = played;
  if (result.result === 'PAYMENT_REQUIRED' || result.result === 'SUBSCRIPTION_REQUIRED')
    return sendPage(request, frame, 200, paying(request, frame, played));
  if (result.result !== 'PLAY') {
    const text = result.message ?? translate(`embed.${result.result}`);
    return sendPage(request, frame, 200, messagePage({ ...frame, title: played.played.item.title, text }));
  }
  return sendPage(request, frame, 200, playing(request, frame, played));
}

function playing(
  { ctx, query: { vod }, language }: EmbedRequest,
  frame: PageFrame,
  { played, result }: PlayedVod,
): string {
  return playerPage({
    ...frame,
    ...shownOf(ctx, frame, played),
    seconds: (played.item.content.durationMs ?? 0) / 1000,
    source: pathOf(result.uniqueStreamer),
    renew: `${frame.root}/embed/playback?vod=${encodeURIComponent(vod)}`,
    words: Object.fromEntries(
      playerWords.map((word) => [word, ctx.translate(language, `embed.${word}`)]),
    ) as PlayerWords,
  });
}

function paying({ ctx, language }: EmbedRequest, frame: PageFrame, { played, result }: PlayedVod): string {
  return paidPage({
    ...frame,
    ...shownOf(ctx, frame, played),
    text: ctx.translate(language, `embed.${result.result}`),
    offer: offerOf(played.item, language, ctx.config.payments.currency),
  });
}

/** What the pages with and without player show of an item. */
function shownOf(ctx: Context, { root }: PageFrame, { item, publisher }: PlayedVod['played']) {
  return {
    title: item.title,
    description: item.description,
    publisher: publisher.user.pageTitle || publisher.user.userCode,
    poster: item.thumbnailId && `${root}/asset/thumbnail/${item.thumbnailId}/${posterWidth}`,
    origin: new URL(ctx.config.service.publicUrl).origin,
  };
}

/** Pages use paths without a host, so that they work under every host name of the service. */
function rootOf(ctx: Context): string {
  return new URL(ctx.config.service.publicUrl).pathname.replace(/\/$/, '');
}

function pathOf(address: string): string {
  return address === '' ? '' : new URL(address).pathname;
}

function sendPage({ ctx, response }: EmbedRequest, { nonce }: PageFrame, status: number, page: string): void {
  const bytes = Buffer.from(page);
  response.statusCode = status;
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Content-Security-Policy', policyOf(ctx, nonce));
  response.removeHeader('X-Frame-Options');
  // The page contains a playback URL of its own, and depends on the language of the request.
  response.setHeader('Cache-Control', 'private, no-store');
  response.setHeader('Vary', 'Accept-Language');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

/** Only the scripts of the player run; every site may embed the page in a frame. */
function policyOf(ctx: Context, nonce: string): string {
  // Segments may be redirected to the store or a CDN, whose host names are not known here.
  const media = ctx.config.playback.delivery === 'redirect' ? "'self' https: http:" : "'self'";
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self' data:",
    `media-src ${media} blob:`,
    `connect-src ${media}`,
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
  ].join('; ');
}
