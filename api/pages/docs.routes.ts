import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Joi from 'joi';
import send from 'send';
import { NotFoundError } from '../../shared/platform/errors.js';
import { openapi } from '../http/openapi.js';
import { defineRoute, type Route } from '../http/route.js';
import { docsPage, docsPolicy, docsScript } from './docs.page.js';

/** Files of Swagger UI that the page uses. Others are not served. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** `/openapi.json` and a page that shows it. The table is a function because these routes are part of it. */
export function docsRoutes(table: () => readonly Route[]): readonly Route[] {
  return [
    defineRoute({
      method: 'get',
      path: '/openapi.json',
      status: 200,
      summary: 'This description, as OpenAPI 3.1',
      response: Joi.object().unknown(),
      handle: async ({ ctx }) => openapi(table(), ctx.config),
    }),
    defineRoute({
      method: 'get',
      path: '/docs',
      status: 200,
      summary: 'This description, as a page',
      response: null,
      async handle({ ctx, response }) {
        response.setHeader('Content-Security-Policy', docsPolicy(ctx.config));
        response.type('html').send(docsPage(ctx.config));
      },
    }),
    defineRoute({
      method: 'get',
      path: '/docs/:file',
      status: 200,
      summary: 'Files of the page',
      params: Joi.object<{ file: string }>({ file: Joi.string().required() }),
      response: null,
      async handle({ ctx, params, response }) {
        if (params.file === 'docs.js') return void response.type('js').send(docsScript(ctx.config));
        const asset = assets.find((name) => name === params.file);
        if (!asset) throw new NotFoundError();
        await sendAsset(asset, response);
      },
    }),
  ];
}

function sendAsset(asset: string, response: Parameters<Route['handle']>[0]['response']): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('close', resolve);
    response.setHeader('Cache-Control', 'public, max-age=3600');
    send(response.req, join(assetFolder, asset), { cacheControl: false }).on('error', reject).pipe(response);
  });
}
