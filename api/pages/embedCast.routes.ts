import Joi from 'joi';
import { nowAndNext } from '../../shared/cast/guide/guide.queries.js';
import { nullWhereNotFound } from '../../shared/platform/errors.js';
import { embedUrl } from '../../shared/views/embedUrl.js';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';
import { overlayOf } from './embed.overlay.js';
import { playerPage, playerTexts } from './embed.page.js';
import { sendFramable, sendUnknownItem } from './embed.policy.js';
import { castStatus, type ShownCast } from './embedCast.js';
import { html, type Html } from './html.js';
import { pageFrame, onlyItemId, posterOf, type PageFrame } from './pageFrame.js';

interface CastQuery {
  readonly cast: string;
}

type CastRequest = RequestOf<unknown, CastQuery, unknown>;

const time = Joi.number().required();

const statusResponse = Joi.object({
  status: Joi.object({
    title: Joi.string().required(),
    now: time.description('The server’s time, in milliseconds since 1970.'),
    validSeconds: Joi.number().required(),
    result: Joi.string().required(),
    message: Joi.string().allow(null).required(),
    address: Joi.string().allow('').required(),
    programs: Joi.array()
      .items(Joi.object({ title: Joi.string().allow('').required(), startsAt: time, endsAt: time }))
      .required(),
  }).required(),
});

/** The operation of a cast channel's page script. */
export const embedCastRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/embed/cast',
    status: 200,
    operationId: 'getPlayerCastStatus',
    summary: 'Get the state of a cast channel for the player page',
    description: 'The playlist and the current programs.',
    query: Joi.object<CastQuery>({ cast: onlyItemId }),
    errors: [404],
    response: statusResponse,
    async handle(request) {
      request.response.setHeader('Cache-Control', 'no-store');
      const { status } = await castStatus(request, request.query.cast);
      return { status };
    },
  }),
];

/** Sends the page of a cast channel. */
export async function embedCast(request: CastRequest): Promise<void> {
  const { ctx, query, response } = request;
  const frame = pageFrame(request);
  const shown = await castStatus(request, query.cast).catch(nullWhereNotFound);
  if (shown) {
    const { id, thumbnailId } = shown.played;
    const pictureId = thumbnailId ?? (await nowAndNext(ctx, id, 0)).now?.thumbnailId ?? null;
    return sendFramable(ctx, response, frame, castPage(request, frame, shown, pictureId));
  }
  sendUnknownItem(request, frame, 'cast.');
}

/** Playback is 12 s behind the end of the playlist, plus up to one segment: within this distance the button is active. */
const liveButton = html`defaultstreamtype="live" liveedgeoffset="20" seektoliveoffset="12"`;

/** `pictureId`: the channel's thumbnail, or else the current program's. */
function castPage(
  { ctx, language, query }: CastRequest,
  frame: PageFrame,
  shown: ShownCast,
  pictureId: string | null,
): string {
  const { name, description, publisher } = shown.played;
  const publisherName = publisher.user.pageTitle || publisher.user.userCode;
  const renew = `${frame.root}/embed/cast?cast=${encodeURIComponent(query.cast)}`;
  return playerPage({
    ...frame,
    title: name,
    description,
    publisher: publisherName,
    poster: posterOf(frame, pictureId),
    address: embedUrl(ctx.config, 'cast', query.cast),
    controls: 'cast',
    texts: playerTexts(ctx, language),
    plays: html`data-cast="${JSON.stringify(shown.status)}" data-renew="${renew}" ${liveButton}`,
    heading: guideOf({
      now: ctx.translate(language, 'embed.cast.now'),
      next: ctx.translate(language, 'embed.cast.next'),
    }),
    overlay: overlayOf(publisherName),
  });
}

/**
 * The current and the next program of a channel. The page's script fills them in, with times in the viewer's time zone. Screen
 * readers read the current program when it changes.
 */
function guideOf({ now, next }: Readonly<Record<'now' | 'next', string>>): Html {
  return html`
    <div class="guide">
      <p role="status" aria-atomic="true">
        <span class="label">${now}</span> <span class="program" data-control="current"></span>
        <span data-control="currentTimes"></span>
      </p>
      <progress max="1" value="0" aria-hidden="true" data-control="progress" hidden></progress>
      <p data-control="nextProgram" hidden>
        <span class="label">${next}</span> <span class="program" data-control="next"></span>
        <span data-control="nextTime"></span>
      </p>
    </div>
  `;
}
