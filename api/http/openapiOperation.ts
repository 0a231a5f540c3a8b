import { STATUS_CODES } from 'node:http';
import { accessOf, type AccessRule } from './access.js';
import { errorComponents, errorsOf } from './openapiErrors.js';
import { exampleOf } from './openapiExample.js';
import { memberDescriptions } from './memberDescriptions.js';
import { headersOf } from './openapiHeaders.js';
import { openapiSchema, type NamedSchemas } from './openapiSchema.js';
import { isForm, type Route } from './route.js';
import { jsonType } from './sendJson.js';

type Json = Record<string, unknown>;

const security: Readonly<Record<AccessRule, readonly Json[]>> = {
  public: [{ publicToken: [] }, { userToken: [] }],
  user: [{ userToken: [] }],
  // `{}`: the credentials may be in the form.
  client: [{ client: [] }, {}],
  integration: [{ client: [] }],
  open: [],
};

/** A route as an operation of the OpenAPI document. Schemas with a name are added to `schemas`. */
export function openapiOperation(route: Route, tag: string, schemas: NamedSchemas): Json {
  const body = requestBody(route, schemas);
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [tag],
    security: security[accessOf(route.path)],
    parameters: [...pathParameters(route, schemas), ...queryParameters(route, schemas), ...headersOf(route)],
    ...(body ? { requestBody: body } : {}),
    responses: responsesOf(route, schemas),
  };
}

/** Every response of a route by status. A status may have both a JSON body and a body of another type. */
function responsesOf(route: Route, schemas: NamedSchemas): Record<string, Json> {
  const json = route.response ? { [jsonType]: { schema: openapiSchema(route.response, schemas) } } : undefined;
  const responses: Record<string, Json> = {
    [route.status]: { ...describedStatus(route.status), ...sentHeaders(route), ...(json ? { content: json } : {}) },
    ...errorsOf(route),
  };
  for (const [status, types] of Object.entries(route.otherResponses ?? {})) {
    const content = Object.fromEntries(types.map((type) => [type, { schema: schemaOfType(type) }]));
    const known = contentOf(responses[status]);
    responses[status] = {
      ...describedStatus(Number(status)),
      ...(types.length > 0 ? { content: { ...known, ...content } } : {}),
    };
  }
  return responses;
}

function describedStatus(status: number): Json {
  const description = status === 204 ? 'Done; no body' : (STATUS_CODES[status] ?? 'Done');
  if (status !== 302 && status !== 303) return { description };
  return { description, headers: { Location: { description: 'Target of the redirect.', schema: { type: 'string' } } } };
}

function sentHeaders({ headers }: Route): Json {
  if (!headers) return {};
  const sent = Object.entries(headers.response).map(([name, description]) => [
    name,
    { description, schema: { type: 'string' } },
  ]);
  return { headers: Object.fromEntries(sent) };
}

function schemaOfType(type: string): Json {
  if (type === jsonType) return { type: 'object' };
  return type.startsWith('text/') ? { type: 'string' } : bytesOf(type);
}

/** A binary schema of OpenAPI 3.1 with the `format` of 3.0: many generators treat a string without it as text. */
function bytesOf(type: string): Json {
  return { type: 'string', contentMediaType: type, format: 'binary' };
}

/** The content of a response; resolves references to shared responses. */
function contentOf(response: Json = {}): Json {
  const { $ref: reference } = response;
  const name = typeof reference === 'string' ? reference.split('/').at(-1) : undefined;
  const shared: Json | undefined = (errorComponents.responses as Record<string, Json>)[name ?? ''];
  return ((shared ?? response)['content'] ?? {}) as Json;
}

function requestBody(route: Route, schemas: NamedSchemas): Json | undefined {
  if (route.reads === 'raw') return { required: true, content: { 'application/json': { schema: { type: 'object' } } } };
  if (route.reads === 'stream') {
    const type = 'application/offset+octet-stream';
    return { content: { [type]: { schema: bytesOf(type) } } };
  }
  if (!route.body || route.method !== 'post') return undefined;
  const schema = openapiSchema(route.body, schemas);
  if (route.upload) {
    const members = schema['properties'] as Record<string, Json>;
    const { description } = members[route.upload.part] ?? {};
    const file = { ...bytesOf('application/octet-stream'), description };
    const properties = { ...members, [route.upload.part]: file };
    return { required: true, content: { 'multipart/form-data': { schema: { ...schema, properties } } } };
  }
  const type = isForm(route) ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    required: Array.isArray(resolved(schema, schemas)['required']),
    content: { [type]: { schema, example: exampleOf(schema, schemas) } },
  };
}

function pathParameters(route: Route, schemas: NamedSchemas): Json[] {
  const described = (route.params ? openapiSchema(route.params, schemas)['properties'] : {}) as Record<string, Json>;
  return namesIn(route.path).map((name) => ({
    name,
    in: 'path',
    required: true,
    ...withDescription(described[name] ?? { type: 'string', description: memberDescriptions[name] }),
  }));
}

function queryParameters(route: Route, schemas: NamedSchemas): Json[] {
  if (!route.query) return [];
  const { properties = {}, required = [] } = openapiSchema(route.query, schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...withDescription(schema),
  }));
}

/** Moves the description from the schema to its parameter, where tools show it. */
function withDescription({ description, ...schema }: Json): Json {
  return { ...(description === undefined ? {} : { description }), schema };
}

/** A schema; resolves references. */
function resolved(schema: Json, schemas: NamedSchemas): Json {
  const { $ref: reference } = schema;
  return typeof reference === 'string' ? (schemas[reference.split('/').at(-1) ?? ''] ?? schema) : schema;
}

/** Names of a path's parameters, wildcards included. */
function namesIn(path: string): string[] {
  return [...path.matchAll(/[:*]([A-Za-z]+)/g)].map((match) => match[1] ?? '');
}
