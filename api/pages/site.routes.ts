import type { Context } from '../../shared/platform/context.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed } from '../http/sendFixed.js';
import { faviconSvg } from './favicon.js';
import { rootOf } from './pageFrame.js';

const icon = fixedContent('image/svg+xml', faviconSvg);

/** Files that browsers and search engines request from every site. */
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
      description: 'The same image at the URL in the pages and at the default URL of browsers.',
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
    description: 'Permits only the start page and the player pages.',
    response: null,
    otherResponses: { 200: ['text/plain'], 304: [] },
    handle: (request) =>
      sendFixed(request, fixedContent('text/plain; charset=utf-8', robotsOf(request.ctx)), 'public, max-age=3600'),
  }),
];

/** Permits the files of a player page, with and without the base path. The longest matching rule applies. */
function robotsOf(ctx: Context): string {
  const root = rootOf(ctx);
  const readable = ['/$', '/embed', '/assets/', '/asset/thumbnail/'].map((path) => `Allow: ${root}${path}`);
  const bare = root === '' ? [] : ['Allow: /embed'];
  return ['User-agent: *', 'Disallow: /', ...readable, ...bare, ''].join('\n');
}
