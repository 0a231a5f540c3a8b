import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Joi from 'joi';
import send from 'send';
import type { Config } from '../../shared/platform/config.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { openapiOf } from '../http/openapiDocument.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed, type FixedContent } from '../http/sendFixed.js';
import { jsonType } from '../http/sendJson.js';
import { docsPage, docsPolicy, docsScript } from './docs.page.js';

/** Files of Swagger UI that the page uses. Others are not served. */
const assets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** What a process shows of itself, made once for its settings. */
interface Documents {
  readonly description: FixedContent;
  readonly page: FixedContent;
  readonly script: FixedContent;
}

const cacheControl = 'public, max-age=300';

const made = new WeakMap<Config, Documents>();

function documentsOf({ config }: Context): Documents {
  const known = made.get(config) ?? {
    description: fixedContent(jsonType, JSON.stringify(openapiOf(config.service))),
    page: fixedContent('text/html; charset=utf-8', docsPage(config)),
    script: fixedContent('text/javascript; charset=utf-8', docsScript(config)),
  };
  made.set(config, known);
  return known;
}

/** `/openapi.json` and a page that shows it. */
export const docsRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/openapi.json',
    status: 200,
    operationId: 'getDescription',
    summary: 'Get this description',
    description: 'As OpenAPI 3.1.',
    response: Joi.object().unknown(),
    otherResponses: { 304: [] },
    handle: (request) => sendFixed(request, documentsOf(request.ctx).description, cacheControl),
  }),
  defineRoute({
    method: 'get',
    path: '/docs',
    status: 200,
    operationId: 'getDocumentation',
    summary: 'Show this description as a page',
    description: 'It reads `/openapi.json` and can try operations.',
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
    operationId: 'getDocumentationFile',
    summary: 'Get a file of the page',
    description: 'Scripts and styles.',
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

function sendAsset(asset: string, response: Parameters<Route['handle']>[0]['response']): Promise<void> {
  return new Promise((resolve, reject) => {
    response.once('close', resolve);
    response.setHeader('Cache-Control', 'public, max-age=3600');
    send(response.req, join(assetFolder, asset), { cacheControl: false }).on('error', reject).pipe(response);
  });
}
