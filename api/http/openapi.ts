import { STATUS_CODES } from 'node:http';
import type { Config } from '../../shared/platform/config.js';
import { languages } from '../../shared/platform/i18n.js';
import { openapiSchema, type NamedSchemas } from './openapiSchema.js';
import { errorComponents, errorsOf } from './openapiErrors.js';
import { accessOf, type Access } from './access.js';
import { isForm, type Route } from './route.js';
import { jsonType } from './sendJson.js';

type Json = Record<string, unknown>;

const security: Readonly<Record<Access, readonly Json[]>> = {
  public: [{ publicToken: [] }, { userToken: [] }],
  user: [{ userToken: [] }],
  // `{}`: the credentials may be in the form.
  client: [{ client: [] }, {}],
  integration: [{ client: [] }],
  open: [],
};

/** Scripts and styles of our pages are no part of the interface, and their names change with their content. */
const pageFiles = /^\/(assets|docs)\//;

/** The OpenAPI 3.1 document of a route table. */
export function openapi(table: readonly Route[], { service }: Config): Json {
  const routes = table.filter(({ path }) => !pageFiles.test(path));
  const schemas: NamedSchemas = {};
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route, service.name, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Video platform',
      version: '1',
      description:
        'Upload, transcode, publish, find and play video. Tokens come from `/oauth/token`; paths under `/api/public/` take any token, ' +
        'other paths under `/api/` a user’s. Unknown members of a body are ignored.',
    },
    servers: [{ url: service.publicUrl }],
    tags: [...new Set(routes.map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { ...schemas, ...errorComponents.schemas },
      responses: errorComponents.responses,
      securitySchemes: securitySchemes(service.publicUrl),
    },
  };
}

function operation(route: Route, serviceName: string, schemas: NamedSchemas): Json {
  const access = accessOf(route.path);
  const body = requestBody(route, schemas);
  return {
    operationId: operationIdOf(route),
    summary: route.summary,
    tags: [tagOf(route)],
    security: security[access],
    parameters: [
      ...pathParameters(route, schemas),
      ...queryParameters(route, schemas),
      ...(route.path.startsWith('/api/') ? commonHeaders(serviceName) : []),
    ],
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(route, schemas),
  };
}

/** Every response of a route by status. One status may have a JSON body and another one. */
function responsesOf(route: Route, schemas: NamedSchemas): Record<string, Json> {
  const json = route.response ? { [jsonType]: { schema: openapiSchema(route.response, schemas) } } : undefined;
  const responses: Record<string, Json> = {
    [route.status]: { description: descriptionOf(route.status), ...(json ? { content: json } : {}) },
    ...errorsOf(route),
  };
  for (const [status, types] of Object.entries(route.otherResponses ?? {})) {
    const content = Object.fromEntries(types.map((type) => [type, { schema: schemaOfType(type) }]));
    const known = contentOf(responses[status]);
    responses[status] = {
      description: descriptionOf(Number(status)),
      ...(types.length > 0 ? { content: { ...known, ...content } } : {}),
    };
  }
  return responses;
}

function descriptionOf(status: number): string {
  return status === 204 ? 'Done; no body' : (STATUS_CODES[status] ?? 'Done');
}

function schemaOfType(type: string): Json {
  if (type === jsonType) return { type: 'object' };
  return type.startsWith('text/') ? { type: 'string' } : { type: 'string', contentMediaType: type };
}

/** The content of a response, also of a shared one. */
function contentOf(response: Json = {}): Json {
  const { $ref: reference } = response;
  const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
  const shared = errorComponents.responses[name as keyof typeof errorComponents.responses];
  return ((shared ?? response)['content'] ?? {}) as Json;
}

function requestBody(route: Route, schemas: NamedSchemas): Json | undefined {
  if (route.reads === 'raw') return { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
  if (!route.body || route.method !== 'post') return undefined;
  const schema = openapiSchema(route.body, schemas);
  if (route.upload) {
    const properties = {
      ...(schema['properties'] as Json),
      [route.upload.part]: { type: 'string', contentMediaType: 'application/octet-stream' },
    };
    return { required: true, content: { 'multipart/form-data': { schema: { ...schema, properties } } } };
  }
  const type = isForm(route) ? 'application/x-www-form-urlencoded' : 'application/json';
  return { required: Array.isArray(schema['required']), content: { [type]: { schema } } };
}

function pathParameters(route: Route, schemas: NamedSchemas): Json[] {
  const described = (route.params ? openapiSchema(route.params, schemas)['properties'] : {}) as Json;
  return namesIn(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: described[name] ?? { type: 'string' },
  }));
}

function queryParameters(route: Route, schemas: NamedSchemas): Json[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = openapiSchema(route.query, schemas) as {
    properties?: Json;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema,
  }));
}

function commonHeaders(serviceName: string): Json[] {
  return [
    {
      name: 'Accept-Language',
      in: 'header',
      description: 'Language of messages.',
      schema: { type: 'string', examples: [...languages] },
    },
    {
      name: `X-${serviceName}-timezone`,
      in: 'header',
      description: 'Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name.',
      schema: { type: ['integer', 'string'], examples: [3_600_000, 'Europe/Rome'] },
    },
  ];
}

function securitySchemes(publicUrl: string): Json {
  const tokenUrl = `${publicUrl}/oauth/token`;
  const scopes = { all: 'Everything the token’s owner may do' };
  return {
    publicToken: {
      type: 'oauth2',
      description: 'For public paths.',
      flows: { clientCredentials: { tokenUrl, scopes } },
    },
    userToken: {
      type: 'oauth2',
      description: 'For public and private paths.',
      flows: { password: { tokenUrl, refreshUrl: tokenUrl, scopes } },
    },
    client: {
      type: 'http',
      scheme: 'basic',
      description:
        'Client credentials, or those of the integration. Those of a client may be sent in the form of the token request instead.',
    },
  };
}

/** Names of a path's parameters, wildcards included. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/[:*]([A-Za-z]+)/g)].map((match) => match[1] ?? '');
}

function templateOf(path: string): string {
  return path.replace(/[:*]([A-Za-z]+)/g, '{$1}');
}

/** The domain: the first segment of the path that is not `api`, `public` or `search`. */
function tagOf(route: Route): string {
  const words = route.path.split('/').filter((word) => word && !/^(api|public|search)$|^[:*]/.test(word));
  return words[0] ?? 'pages';
}

/** Such as `postApiBoxByBoxId`. Unique, since no two routes share method and path. */
function operationIdOf(route: Route): string {
  const words = route.path
    .split(/[/.{}-]+/)
    .filter(Boolean)
    .map((word) => (/^[:*]/.test(word) ? `By${capital(word.slice(1))}` : capital(word)));
  return `${route.method}${words.join('')}`;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
