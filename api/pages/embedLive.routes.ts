import Joi from 'joi';
import { visibleLiveChannel } from '../../shared/live/liveChannel.queries.js';
import { nullWhereNotFound } from '../../shared/platform/errors.js';
import { trackingIdOf } from '../http/paymentBody.js';
import { embedUrl } from '../../shared/views/embedUrl.js';
import { wire } from '../http/fields.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { overlayOf } from './embed.overlay.js';
import { playerPage, playerTexts } from './embed.page.js';
import { eventParts } from './embed.paid.js';
import { sendFramable, sendUnknownItem } from './embed.policy.js';
import { liveStatus, type LiveShown, type ShownEvent } from './embedLive.js';
import { html } from './html.js';
import { messagePage, onlyItemId, pageFrame, pageItemId, posterOf, type PageFrame } from './pageFrame.js';

/** `event` is used if both are sent. */
interface LiveQuery {
  readonly live: string;
  readonly event: string;
}

type LiveRequest = RequestOf<unknown, LiveQuery, unknown>;

const statusQuery = Joi.object<LiveQuery & { readonly trackingId: string }>({
  live: onlyItemId,
  event: pageItemId,
  trackingId: Joi.string().max(100).allow('').default(''),
});

const statusResponse = Joi.object({
  status: Joi.object({
    eventId: wire.id().required(),
    title: Joi.string().required(),
    phase: Joi.string().valid('BEFORE', 'WAITING', 'ON_AIR', 'OVER').required(),
    now: Joi.number().required().description('The server’s time, in milliseconds since 1970.'),
    startsAt: Joi.number().required(),
    endsAt: Joi.number().required(),
    result: Joi.string().required(),
    message: Joi.string().allow(null).required(),
    isAwaited: Joi.boolean().description('Whether the payment of `trackingId` may still be confirmed.'),
    address: Joi.string().allow('').required(),
    still: Joi.string().allow(null).required().description('Path of a still image of the last two minutes, or null.'),
    rewindFrom: Joi.number()
      .allow(null)
      .required()
      .description('Start of the rewind range, in milliseconds since 1970, or null.'),
    rewindSeconds: Joi.number().required().description('Maximum length of the rewind range, in seconds.'),
    pay: Joi.string().allow(null).required().description('Label of the button that pays, while the event is for sale.'),
    recording: Joi.string().allow(null).required(),
  }).required(),
});

/** The operation of a live event's page script. */
export const embedLiveRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/embed/live',
    status: 200,
    operationId: 'getPlayerLiveStatus',
    summary: 'Get the state of a live event for the player page',
    description: 'The playlist, the times of the event and the state of a payment.',
    query: statusQuery,
    errors: [404],
    response: statusResponse,
    async handle(request) {
      request.response.setHeader('Cache-Control', 'no-store');
      const { status } = await liveStatus(request, shownBy(request), trackingIdOf(request.query.trackingId));
      return { status };
    },
  }),
];

/** Sends the page of a live event, or of a channel's current event. */
export async function embedLive(request: LiveRequest): Promise<void> {
  const { ctx, response } = request;
  const frame = pageFrame(request);
  const shown = await liveStatus(request, shownBy(request), null).catch(nullWhereNotFound);
  if (shown) return sendFramable(ctx, response, frame, livePage(request, frame, shown));
  const channel =
    request.query.event === '' ? await visibleLiveChannel(ctx, request.query.live).catch(nullWhereNotFound) : null;
  if (!channel) return sendUnknownItem(request, frame);
  const text = ctx.translate(request.language, 'embed.live.none');
  sendFramable(ctx, response, frame, messagePage({ ...frame, title: channel.channel.name, text }));
}

/** The button is active less than 12 s from the end of the playlist, unless the viewer has rewound. */
const liveButton = html`defaultstreamtype="live" liveedgeoffset="12" seektoliveoffset="4"`;

function shownBy({ query: { live, event } }: LiveRequest): LiveShown {
  return event === '' ? { live } : { event };
}

function livePage(request: LiveRequest, frame: PageFrame, { event, publisher, status }: ShownEvent): string {
  const { ctx, language, query } = request;
  const shown =
    query.event === '' ? `live=${encodeURIComponent(query.live)}` : `event=${encodeURIComponent(query.event)}`;
  const publisherName = publisher.user.pageTitle || publisher.user.userCode;
  return playerPage({
    ...frame,
    title: event.name,
    description: event.description,
    publisher: publisherName,
    poster: posterOf(frame, event.thumbnailId ?? event.channel.thumbnailId),
    address: query.event === '' ? embedUrl(ctx.config, 'live', query.live) : embedUrl(ctx.config, 'event', query.event),
    controls: 'live',
    texts: playerTexts(ctx, language),
    plays: html`data-live="${JSON.stringify(status)}" data-renew="${frame.root}/embed/live?${shown}"
    data-pay="${frame.root}/embed/pay" ${liveButton}`,
    overlay: overlayOf(publisherName, eventParts(request, event)),
  });
}
