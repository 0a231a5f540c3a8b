import Joi from 'joi';
import { nullWhereNotFound, NotFoundError } from '../../shared/platform/errors.js';
import { readableVod } from '../../shared/bundle/vodWithBundle.queries.js';
import { publicCastChannel } from '../../shared/cast/castChannel.queries.js';
import { thumbnailWithin, type SizedThumbnail } from '../../shared/content/thumbnailRendering.js';
import type { Publisher } from '../../shared/license/publisher.queries.js';
import { visibleLiveChannel } from '../../shared/live/liveChannel.queries.js';
import { visibleEvent } from '../../shared/live/event.queries.js';
import type { Config } from '../../shared/platform/config.js';
import type { Context } from '../../shared/platform/context.js';
import { isUuid } from '../../shared/platform/formats/format.js';
import { embedUrl, type EmbedKind } from '../../shared/views/embedUrl.js';
import { optionalText } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { html } from './html.js';
import { rootOf } from './pageFrame.js';

interface OembedQuery {
  readonly url: string;
  readonly maxwidth?: number;
  readonly maxheight?: number;
  readonly format: string;
}

const pixels = Joi.number().integer().min(1).max(10_000).empty('');
const number = Joi.number().integer();

/** oEmbed 1.0: other sites convert the URL of a player page to a frame. All names are from the oEmbed specification. */
export const oembedRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/oembed',
    status: 200,
    operationId: 'getOembed',
    summary: 'Get the frame of a player page',
    description:
      'oEmbed 1.0: other sites convert the URL of a player page to a frame. 404 for other URLs and for items that the page does not show; 501 for a `format` other than `json`.',
    query: Joi.object<OembedQuery>({
      url: Joi.string().max(2000).required().description('URL of a player page (`embedUrl`).'),
      maxwidth: pixels.description('Maximum width of the frame.'),
      maxheight: pixels.description('Maximum height of the frame.'),
      format: optionalText(20).default('json').description('Only `json` is supported.'),
    }),
    errors: [404],
    response: Joi.object({
      version: Joi.valid('1.0').required().description('Version of oEmbed.'),
      type: Joi.valid('video').required().description('Type of the resource.'),
      provider_name: Joi.string().required().description('Name of this service.'),
      provider_url: Joi.string().required().description('URL of the start page.'),
      title: Joi.string().required().description('Title of the item.'),
      author_name: Joi.string().required().description('Name of the publisher.'),
      thumbnail_url: Joi.string().description('URL of the thumbnail.'),
      thumbnail_width: number.description('Width of the thumbnail in pixels.'),
      thumbnail_height: number.description('Height of the thumbnail in pixels.'),
      width: number.required().description('Width of the frame in pixels.'),
      height: number.required().description('Height of the frame in pixels.'),
      html: Joi.string().required().description('HTML of the frame.'),
    }),
    otherResponses: { 501: ['text/plain'] },
    handle: oembed,
  }),
];

async function oembed({ ctx, language, query, response }: RequestOf<unknown, OembedQuery, unknown>) {
  if (query.format.toLowerCase() !== 'json') {
    response.status(501).type('text/plain').send(ctx.translate(language, 'embed.oembed.format'));
    return undefined;
  }
  response.setHeader('Cache-Control', 'no-store');
  const named = itemOf(ctx, query.url);
  const item = named && (await readers[named.kind](ctx, named.id).catch(nullWhereNotFound));
  if (!named || !item) throw new NotFoundError();
  const { service } = ctx.config;
  const { title, publisher, thumbnailId } = item;
  const size = sizeWithin(query);
  return {
    version: '1.0',
    type: 'video',
    provider_name: service.name,
    provider_url: service.publicUrl,
    title,
    author_name: publisher.user.pageTitle || publisher.user.userCode,
    ...thumbnailMembers(ctx.config, thumbnailId && (await thumbnailWithin(ctx, thumbnailId, query))),
    ...size,
    html: html`<iframe
      src="${embedUrl(ctx.config, named.kind, named.id)}"
      width="${size.width}"
      height="${size.height}"
      title="${title}"
      style="border:0"
      allow="autoplay; fullscreen; encrypted-media; picture-in-picture"
      allowfullscreen
    ></iframe>`.html,
  };
}

interface ShownItem {
  readonly title: string;
  readonly publisher: Publisher;
  readonly thumbnailId: string | null;
}

/** Read the item of a player page. Throw NotFoundError for items that the page does not show. */
const readers: Readonly<Record<EmbedKind, (ctx: Context, id: string) => Promise<ShownItem>>> = {
  async vod(ctx, id) {
    const { item, publisher } = await readableVod(ctx, id);
    return { title: item.title, thumbnailId: item.thumbnailId, publisher };
  },
  async live(ctx, id) {
    const { channel, publisher } = await visibleLiveChannel(ctx, id);
    return { title: channel.name, thumbnailId: channel.thumbnailId, publisher };
  },
  async event(ctx, id) {
    const { event, publisher } = await visibleEvent(ctx, id);
    return { title: event.name, thumbnailId: event.thumbnailId ?? event.channel.thumbnailId, publisher };
  },
  async cast(ctx, id) {
    const { name, thumbnailId, publisher } = await publicCastChannel(ctx, id);
    return { title: name, thumbnailId, publisher };
  },
};

/** In the order in which the player page evaluates its query. */
const kinds: readonly EmbedKind[] = ['event', 'live', 'cast', 'vod'];

/** The item of a player page's URL; null for other URLs. No request is sent to the URL. */
function itemOf(ctx: Context, url: string): { readonly kind: EmbedKind; readonly id: string } | null {
  if (!URL.canParse(url)) return null;
  const { protocol, host, pathname, searchParams } = new URL(url);
  const isOurs = /^https?:$/.test(protocol) && host === new URL(ctx.config.service.publicUrl).host;
  const page = pathname.replace(/\/$/, '');
  if (!isOurs || (page !== '/embed' && page !== `${rootOf(ctx)}/embed`)) return null;
  const kind = kinds.find((name) => searchParams.get(name));
  const id = kind && searchParams.get(kind);
  return kind && id && isUuid(id) ? { kind, id: id.toLowerCase() } : null;
}

/** 16:9, with the maximum permitted width; 640 pixels without a limit. */
function sizeWithin({ maxwidth, maxheight }: OembedQuery): { readonly width: number; readonly height: number } {
  const widest = maxheight === undefined ? (maxwidth ?? 640) : Math.round((maxheight * 16) / 9);
  const width = Math.max(1, Math.min(maxwidth ?? widest, widest));
  return { width, height: Math.min(maxheight ?? Infinity, Math.max(1, Math.round((width * 9) / 16))) };
}

function thumbnailMembers({ service }: Config, thumbnail: SizedThumbnail | null | '') {
  if (!thumbnail) return {};
  const { id, width, height } = thumbnail;
  return {
    thumbnail_url: `${service.publicUrl}/asset/thumbnail/${id}/${width}`,
    thumbnail_width: width,
    thumbnail_height: height,
  };
}
