import { accessOf, isForPrograms } from './access.js';
import type { ErrorStatus, Route } from './route.js';
import { jsonType } from './sendJson.js';

type Json = Record<string, unknown>;

const text = { type: 'string' };
/** Members of all errors except OAuth errors. */
const request = {
  status: { type: 'integer', description: 'The HTTP status.' },
  error: { ...text, description: 'Reason phrase of the status.' },
  path: { ...text, description: 'The path of the request, without its query.' },
};
const ref = (kind: 'schemas' | 'responses', name: string): Json => ({ $ref: `#/components/${kind}/${name}` });
const response = (description: string, ...schemas: Json[]): Json & { readonly content: Json } => ({
  description,
  content: { [jsonType]: { schema: schemas.length === 1 ? schemas[0] : { oneOf: schemas } } },
});

const error = ref('schemas', 'ServiceError');
const oauthError = ref('schemas', 'OAuthError');
/** For paths that people open: browsers get a page (`api/pages/errorPage.ts`). */
const orPage = ({ content, ...described }: ReturnType<typeof response>): Json => ({
  ...described,
  content: { ...content, 'text/html': { schema: text } },
});
const retried = <Described extends Json>(described: Described) => ({
  ...described,
  headers: { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } },
});

const jsonResponses = {
  Invalid: response('The request is not valid, or cannot be read.', error),
  GrantRefused: response(
    'The grant is not valid, the user’s credentials are wrong, or the request cannot be read.',
    oauthError,
    error,
  ),
  ClientRefused: response(
    'The client’s credentials are wrong, or the refresh token is not valid.',
    ref('schemas', 'BadClient'),
    oauthError,
  ),
  NoToken: response(
    'The access token is missing, expired or not valid. `required_token` in `WWW-Authenticate`: `any` or `user`.',
    oauthError,
  ),
  WrongCredentials: response('The credentials are missing or wrong.', error),
  PaymentRequired: response('The payment is not completed.', error),
  Forbidden: response(
    'A public token was sent to a private path, or the caller may not perform the operation.',
    oauthError,
    error,
  ),
  NotFound: response('The item does not exist, or belongs to another user.', error),
  Conflict: response('The item is in use, a name is taken, or the state does not permit the operation.', error),
  Changed: response('The item has changed since it was read, or the tus version is not 1.0.0.', error),
  TimedOut: response('The body has not arrived in time; the connection is closed.', error),
  TooLarge: response('The body is too large.', error),
  WrongType: response('The operation does not read bodies of this type or coding.', error),
  NoSuchRange: response('The requested range is beyond the end of the file.', error),
  WrongChecksum: response('The body does not match its checksum.', error),
  TooMany: retried(response('Too many attempts.', error)),
  Failed: response('An unexpected error.', error),
  NotOffered: response('A part of a protocol that the service does not implement.', error),
  Unavailable: retried(response('The service, or a service that it depends on, is unavailable.', error)),
  NoSpace: retried(response('The storage of the service is full.', error)),
} satisfies Record<string, Json>;

/** Error responses of routes outside of `isForPrograms`. */
const pageNames = [
  ...([
    'Invalid',
    'WrongCredentials',
    'Forbidden',
    'NotFound',
    'TimedOut',
    'Conflict',
    'TooLarge',
    'WrongType',
  ] as const),
  ...(['NoSuchRange', 'TooMany', 'Failed', 'NotOffered', 'Unavailable'] as const),
];
const pageResponses: Record<string, Json> = Object.fromEntries(
  pageNames.map((name) => [`${name}Page`, orPage(jsonResponses[name])]),
);

/** The error bodies of `docs/contract.md#errors` and `docs/contract.md#choices-errors`. */
export const errorComponents = {
  schemas: {
    OAuthError: {
      type: 'object',
      properties: {
        error: { ...text, description: 'A stable name for the kind of error.', examples: ['invalid_token'] },
        error_description: { ...text, description: 'A fixed sentence of the protocol, in English.' },
        message: {
          ...text,
          description:
            'The token that the path needs, and where to get it, in the language of Accept-Language. With `unauthorized` and `access_denied`.',
        },
      },
      required: ['error', 'error_description'],
    },
    BadClient: {
      type: 'object',
      properties: {
        timestamp: { ...text, description: 'ISO 8601.' },
        ...request,
        message: { ...text, description: 'A sentence for people.' },
      },
      required: ['timestamp', 'status', 'error', 'message', 'path'],
    },
    // Not `Error`, which is a built-in class in many languages of generated clients.
    ServiceError: {
      type: 'object',
      properties: {
        timestamp: { type: 'integer', description: 'Milliseconds since 1970.' },
        ...request,
        exception: { ...text, description: 'A stable name for the kind of error.', examples: ['NotFoundException'] },
        message: { ...text, description: 'In the language of Accept-Language.' },
        limit: {
          type: 'object',
          description: 'The exceeded limit. Only in errors about limits.',
          properties: {
            maximum: { type: 'number', description: 'The limit.' },
            unit: { ...text, description: 'Unit of `maximum`: `bytes`, `requests`, `uploads`, `minutes` or `chunks`.' },
            seconds: {
              type: 'integer',
              description: 'Period of a limit per time, in seconds; left out of other limits.',
            },
          },
          required: ['maximum', 'unit'],
        },
        errors: {
          type: 'array',
          description: 'Every rejected member. Only with ValidationException.',
          items: {
            type: 'object',
            properties: {
              field: { ...text, description: 'Path of the member.', examples: ['programs[3].endDate'] },
              code: { ...text, description: 'A stable name for the reason.' },
              defaultMessage: { ...text, description: 'The reason, in the language of Accept-Language.' },
              rejectedValue: { description: 'The rejected value, if it is short and not a secret.' },
            },
            required: ['field', 'code', 'defaultMessage'],
          },
        },
      },
      required: ['timestamp', 'status', 'error', 'exception', 'message', 'path'],
    },
  } satisfies Record<string, Json>,
  responses: { ...jsonResponses, ...pageResponses },
};

type ErrorResponse = keyof typeof jsonResponses;

const errorResponses: Readonly<Record<ErrorStatus, ErrorResponse>> = {
  400: 'Invalid',
  401: 'WrongCredentials',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'TimedOut',
  409: 'Conflict',
  412: 'Changed',
  413: 'TooLarge',
  415: 'WrongType',
  416: 'NoSuchRange',
  429: 'TooMany',
  460: 'WrongChecksum',
  500: 'Failed',
  501: 'NotOffered',
  503: 'Unavailable',
  507: 'NoSpace',
};

/** Searches wait in a fair queue, which limits the waiting requests of a caller (`FairQueue`). */
const isSearch = ({ path }: Route): boolean => /^\/api\/(public\/)?search\//.test(path);

/**
 * The error responses of a route by status: those that follow from its declaration, and its `errors`. A test that receives a
 * status that is missing here fails (`test/support/responseCheck.ts`).
 */
export function errorsOf(route: Route): Record<string, Json> {
  const access = accessOf(route.path);
  const isToken = access === 'client';
  const needsToken = access === 'public' || access === 'user';
  const hasBody = route.method === 'post' || route.method === 'patch';
  const storesBody = route.upload !== undefined || route.reads === 'stream';
  const derived: readonly (readonly [applies: boolean, status: ErrorStatus])[] = [
    // Every path and query can contain malformed characters.
    [true, 400],
    [access !== 'open', 401],
    [access === 'user', 403],
    [route.params !== undefined, 404],
    [hasBody, 408],
    [hasBody, 413],
    [hasBody, 415],
    [isSearch(route) || route.isLimited === true || storesBody, 429],
    // Wrong credentials are limited, and also the bodies that one address sends without a token.
    [access === 'client' || access === 'integration' || (access === 'open' && route.method === 'post'), 429],
    [true, 500],
    [true, 503],
    [storesBody, 507],
  ];
  const statuses = new Set([
    ...derived.flatMap(([applies, status]) => (applies ? status : [])),
    ...(route.errors ?? []),
  ]);
  const named: Record<string, ErrorResponse> = Object.fromEntries(
    [...statuses].map((status) => [status, errorResponses[status]]),
  );
  if (isToken) Object.assign(named, { 400: 'GrantRefused', 401: 'ClientRefused' });
  else if (needsToken) named['401'] = 'NoToken';
  return Object.fromEntries(
    Object.entries(named).map(([status, name]) => {
      const pageName = `${name}Page`;
      const isPage = !isForPrograms(route.path) && pageName in pageResponses;
      return [status, ref('responses', isPage ? pageName : name)];
    }),
  );
}
