import { accessOf } from './access.js';
import type { Route } from './route.js';
import { jsonType } from './sendJson.js';

type Json = Record<string, unknown>;

const text = { type: 'string' };
const ref = (kind: 'schemas' | 'responses', name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const response = (description: string, ...schemas: Json[]): Json => ({
  description,
  content: { [jsonType]: { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } } },
});

/** The error bodies of `docs/contract.md#errors` and `docs/contract.md#choices-errors`. */
export const errorComponents = {
  schemas: {
    OAuthError: {
      type: 'object',
      properties: { error: { ...text, examples: ['invalid_token'] }, error_description: text },
      required: ['error', 'error_description'],
    },
    BadClient: {
      type: 'object',
      properties: { timestamp: text, status: { type: 'integer' }, error: text, message: text, path: text },
      required: ['timestamp', 'status', 'error', 'message', 'path'],
    },
    Error: {
      type: 'object',
      properties: {
        timestamp: { type: 'integer', description: 'Milliseconds since 1970.' },
        status: { type: 'integer' },
        error: { ...text, description: 'Reason phrase of the status.' },
        exception: { ...text, description: 'A stable name for the kind of error.', examples: ['NotFoundException'] },
        message: { ...text, description: 'In the language of Accept-Language.' },
        path: text,
        errors: {
          type: 'array',
          description: 'Every rejected member. Only with ValidationException.',
          items: {
            type: 'object',
            properties: { field: text, code: text, defaultMessage: text, rejectedValue: {} },
            required: ['field', 'code', 'defaultMessage'],
          },
        },
      },
      required: ['timestamp', 'status', 'error', 'exception', 'message', 'path'],
    },
  } satisfies Record<string, Json>,
  responses: {
    Refused: response('The request is not valid.', ref('schemas', 'Error')),
    GrantRefused: response(
      'The grant is not valid, the user’s credentials are wrong, or the request cannot be read.',
      ref('schemas', 'OAuthError'),
      ref('schemas', 'Error'),
    ),
    ClientRefused: response(
      'The client’s credentials are wrong, or the refresh token is not valid.',
      ref('schemas', 'BadClient'),
      ref('schemas', 'OAuthError'),
    ),
    NoToken: response('The access token is missing, expired or not valid.', ref('schemas', 'OAuthError')),
    Forbidden: response(
      'A public token on a private path, or an action that the caller may not take.',
      ref('schemas', 'OAuthError'),
      ref('schemas', 'Error'),
    ),
    NotFound: response('The item does not exist, or it is not the caller’s.', ref('schemas', 'Error')),
    InUse: response('Something still uses the item, or the name is taken.', ref('schemas', 'Error')),
    TimedOut: response('The body has not arrived in time; the connection is closed.', ref('schemas', 'Error')),
    TooLarge: response('The body is too large.', ref('schemas', 'Error')),
    TooMany: {
      ...response('Too many attempts.', ref('schemas', 'Error')),
      headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
    },
    Failed: response('Any other error.', ref('schemas', 'Error')),
  } satisfies Record<string, Json>,
};

/** The error responses of a route by status, derived from its declaration. */
export function errorsOf(route: Route): Record<string, Json> {
  const access = accessOf(route.path);
  const isToken = access === 'client';
  const named: Record<string, keyof typeof errorComponents.responses> = { default: 'Failed' };
  if (route.body || route.query) named['400'] = isToken ? 'GrantRefused' : 'Refused';
  if (access === 'public' || access === 'user') named['401'] = 'NoToken';
  if (isToken) named['401'] = 'ClientRefused';
  if (route.method === 'post' && (route.body || route.reads === 'raw')) named['408'] = 'TimedOut';
  if (isToken || route.isLimited || route.upload) named['429'] = 'TooMany';
  if (access === 'user') named['403'] = 'Forbidden';
  if (route.params) named['404'] = 'NotFound';
  if (route.method === 'delete') named['409'] = 'InUse';
  if (route.upload || (route.body && !isToken)) named['413'] = 'TooLarge';
  return Object.fromEntries(Object.entries(named).map(([status, name]) => [status, ref('responses', name)]));
}
