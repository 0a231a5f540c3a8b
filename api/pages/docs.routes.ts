import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Joi from 'joi';
import send from 'send';
import type { Config } from '../../shared/platform/config.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { openapi } from '../http/openapi.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed, type FixedContent } from '../http/sendFixed.js';
import { jsonType } from '../http/sendJson.js';
import { docsPage, docsPolicy, docsScript } from './docs.page.js';

/** Files of Swagger UI that the page uses. Others are not served. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** What a process shows of itself: built once for its settings, since describing all routes takes 0.3 s of a core. */
interface Documents {
  readonly description: FixedContent;
  readonly page: FixedContent;
  readonly script: FixedContent;
}

const cacheControl = 'public, max-age=300';

/** `/openapi.json` and a page that shows it. The table is a function because these routes are part of it. */
export function docsRoutes(table: () => readonly Route[]): readonly Route[] {
  const built = new WeakMap<Config, Documents>();
  const documentsOf = ({ config }: Context): Documents => {
    const known = built.get(config) ?? {
      description: fixedContent(jsonType, JSON.stringify(openapi(table(), config))),
      page: fixedContent('text/html; charset=utf-8', docsPage(config)),
      script: fixedContent('text/javascript; charset=utf-8', docsScript(config)),
    };
    built.set(config, known);
    return known;
  };
  return [
    defineRoute({
      method: 'get',
      path: '/openapi.json',
      status: 200,
      summary: 'This description, as OpenAPI 3.1',
      response: Joi.object().unknown(),
      otherResponses: { 304: [] },
      handle: (request) => sendFixed(request, documentsOf(request.ctx).description, cacheControl),
    }),
    defineRoute({
      method: 'get',
      path: '/docs',
      status: 200,
      summary: 'This description, as a page',
      response: null,
      otherResponses: { 200: ['text/html'], 304: [] },
      async handle(request) {
        const { ctx, response } = request;
        response.setHeader('Content-Security-Policy', docsPolicy(ctx.config));
        await sendFixed(request, documentsOf(ctx).page, cacheControl);
      },
    }),
    defineRoute({
      method: 'get',
      path: '/docs/:file',
      status: 200,
      summary: 'Files of the page',
      params: Joi.object<{ file: string }>({ file: Joi.string().required() }),
      response: null,
      async handle(request) {
        const { ctx, params, response } = request;
        if (params.file === 'docs.js') return sendFixed(request, documentsOf(ctx).script, cacheControl);
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
