import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Joi from 'joi';
import type { Config } from '../../shared/platform/config.js';
import type { Context } from '../../shared/platform/context.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { openapiOf } from '../http/openapiDocument.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed, type FixedContent } from '../http/sendFixed.js';
import { jsonType } from '../http/sendJson.js';
import { docsPage, docsPolicy, docsScript, type DescribedOperation } from './docs.page.js';

/** The only files of Swagger UI that are served. */
const assets: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};
const assetFolder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The documents of a process, created once from its settings. */
interface Documents {
  readonly description: FixedContent;
  readonly page: FixedContent;
  readonly script: FixedContent;
}

const cacheControl = 'public, max-age=300';

const made = new WeakMap<Config, Documents>();

function documentsOf({ config }: Context): Documents {
  const known = made.get(config) ?? makeDocuments(config);
  made.set(config, known);
  return known;
}

function makeDocuments(config: Config): Documents {
  const description = openapiOf(config.service);
  return {
    description: fixedContent(jsonType, JSON.stringify(description)),
    page: fixedContent('text/html; charset=utf-8', docsPage(config, operationsOf(description))),
    script: fixedContent('text/javascript; charset=utf-8', docsScript(config)),
  };
}

function operationsOf(description: Readonly<Record<string, unknown>>): DescribedOperation[] {
  const paths = description['paths'] as Record<string, Record<string, { operationId: string; tags: [string] }>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, tags }]) => ({ method, path, operationId, tag: tags[0] })),
  );
}

const files = new Map<string, FixedContent>();

/** A file of Swagger UI, read at its first request; undefined for other names. */
function assetNamed(name: string): FixedContent | undefined {
  const type = Object.hasOwn(assets, name) ? assets[name] : undefined;
  if (type === undefined) return undefined;
  const file = files.get(name) ?? fixedContent(type, readFileSync(join(assetFolder, name)));
  files.set(name, file);
  return file;
}

/** `/openapi.json` and a page that shows it. */
export const docsRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/openapi.json',
    status: 200,
    operationId: 'getDescription',
    summary: 'Get this description',
    description: 'OpenAPI 3.1 with every status of every operation, and the rules of every request.',
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
    description: 'Shows `/openapi.json` and can call operations.',
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
    summary: 'Get a file of the documentation page',
    description: 'Scripts and styles.',
    params: Joi.object<{ file: string }>({ file: Joi.string().required() }),
    response: null,
    async handle(request) {
      const { ctx, params } = request;
      if (params.file === 'docs.js') return sendFixed(request, documentsOf(ctx).script, cacheControl);
      const asset = assetNamed(params.file);
      if (!asset) throw new NotFoundError();
      await sendFixed(request, asset, 'public, max-age=3600');
    },
  }),
];
