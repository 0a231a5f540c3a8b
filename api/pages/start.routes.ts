import { newestChannels } from '../../shared/cast/guide/newestChannels.queries.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { bullBoardPath } from '../operators/bullBoard.js';
import { defineRoute, type Route } from '../http/route.js';
import { formPageOf } from './formPage.js';
import { html, type Html } from './html.js';
import { pageFrame, sendPage, type PageFrame } from './pageFrame.js';

/** Links of the start page: the last part of each message key, and the path below the base path. */
const links = [
  ['docs', '/docs'],
  ['openapi', '/openapi.json'],
  ['health', '/readyz'],
  ['operators', bullBoardPath],
  ['channelList', '/api/public/cast/channels.m3u'],
] as const;

const shownChannels = 5;

/** The start page. It loads no other files, and links only to this service. */
export const startRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/',
    status: 200,
    operationId: 'getStartPage',
    summary: 'Show the start page',
    description: 'For clients that accept HTML; 404 for others.',
    errors: [404],
    response: null,
    otherResponses: { 200: ['text/html'] },
    async handle(request) {
      const { ctx, language, response } = request;
      response.vary('Accept');
      if (response.req.accepts(['html', 'json']) !== 'html')
        throw new NotFoundError({ detail: 'the start page is HTML' });
      const frame = pageFrame(request);
      const text = (key: string): string => ctx.translate(language, `start.${key}`);
      const page = formPageOf(
        frame,
        text('title'),
        html`
          <h1>${text('title')}</h1>
          <p>${text('what')}</p>
          <dl class="links">
            ${links.map(
              ([key, path]) =>
                html`<div>
                  <dt>${text(key)}</dt>
                  <dd><a href="${frame.root}${path}">${pathText(frame.root + path)}</a></dd>
                </div>`,
            )}
          </dl>
          ${await channelsOf(ctx, frame, text('channels'))}
          <p>${text('player')}</p>
          <p>
            <code
              >&lt;iframe src="${ctx.config.service.publicUrl}/embed/?vod=..." allow="autoplay; fullscreen"&gt;</code
            >
          </p>
          <p><code>?live=...</code> <code>?event=...</code> <code>?cast=...</code></p>
        `,
      );
      const policy = `default-src 'none'; style-src 'nonce-${frame.nonce}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
      sendPage(response, { policy, page });
    },
  }),
];

/** A path with optional line breaks after its slashes. */
function pathText(path: string): Html[] {
  return path.split(/(?<=.\/)/).map((part) => html`${part}<wbr />`);
}

/** Links to the newest cast channels. If the database is unavailable, the page is shown without them. */
async function channelsOf(ctx: Context, { root }: PageFrame, title: string): Promise<Html> {
  const channels = await newestChannels(ctx, shownChannels).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'channels of the start page not loaded');
    return [];
  });
  if (channels.length === 0) return html``;
  const items = channels.map(({ id, name }) => html`<li><a href="${root}/embed/?cast=${id}">${name}</a></li>`);
  return html`
    <p>${title}</p>
    <ul>
      ${items}
    </ul>
  `;
}
