import type { Context } from '../../shared/platform/context.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed } from '../http/sendFixed.js';
import { faviconSvg } from './favicon.js';
import { rootOf } from './pageFrame.js';

const icon = fixedContent('image/svg+xml', faviconSvg);

/** What browsers and search engines ask every site for. */
export const siteRoutes: readonly Route[] = [
  ...(
    [
      ['/favicon.svg', 'getIcon'],
      ['/favicon.ico', 'getDefaultIcon'],
    ] as const
  ).map(([path, operationId]) =>
    defineRoute({
      method: 'get',
      path,
      status: 200,
      operationId,
      summary: 'Get the icon of all pages',
      description: 'The same picture at the address that the pages name and at the one that browsers try.',
      response: null,
      otherResponses: { 200: ['image/svg+xml'], 304: [] },
      handle: (request) => sendFixed(request, icon, 'public, max-age=86400'),
    }),
  ),
  defineRoute({
    method: 'get',
    path: '/robots.txt',
    status: 200,
    operationId: 'getRobotsRules',
    summary: 'Get the rules for search engines',
    description: 'They may read the start page and the player pages, and nothing else.',
    response: null,
    otherResponses: { 200: ['text/plain'], 304: [] },
    handle: (request) =>
      sendFixed(request, fixedContent('text/plain; charset=utf-8', robotsOf(request.ctx)), 'public, max-age=3600'),
  }),
];

/** What a player page needs, with and without the base path, since it answers at both. The longest rule decides. */
function robotsOf(ctx: Context): string {
  const root = rootOf(ctx);
  const readable = ['/$', '/embed', '/assets/', '/asset/thumbnail/'].map((path) => `Allow: ${root}${path}`);
  const bare = root === '' ? [] : ['Allow: /embed'];
  return ['User-agent: *', 'Disallow: /', ...readable, ...bare, ''].join('\n');
}
