import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../fuzz/fromSchema.js';
import { jsonType } from '../../api/http/sendJson.js';

/** One operation of the OpenAPI document. */
export interface Operation {
  /** `POST /api/box/{boxId}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: 'public' | 'user' | 'basic' | 'open';
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query';
    readonly schema: JsonSchema;
  }[];
  readonly body: { readonly type: string; readonly schema: JsonSchema; readonly fits: () => ValidateFunction } | null;
  /** Documented responses by status. */
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** The content types of a response, without parameters; empty: no body. JSON has a schema, compiled at the first call. */
export type DescribedResponse = ReadonlyMap<string, () => ValidateFunction>;

/** The parts of an OpenAPI 3.1 document that tests use. */
export interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface DescribedOperation {
  readonly parameters: Operation['parameters'];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly responses: Readonly<Record<string, Response & { readonly $ref?: string }>>;
}

interface Response {
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

type Compile = (schema: JsonSchema) => () => ValidateFunction;

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => /^[a-z][a-z0-9+.-]*:\/\/[\w.~:/?#@!$&'()*+,;=%-]+$/i.test(text) && URL.canParse(text),
};

/** All operations; schemas are compiled once, at their first use. */
export function operationsOf(description: Description): Operation[] {
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats });
  ajv.addSchema({ $id: 'description', components: description.components });
  const compile: Compile = (schema) => {
    let compiled: ValidateFunction | undefined;
    return () => (compiled ??= ajv.compile(absolute(schema)));
  };
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [type, { schema } = { schema: {} }] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        access: accessOf(operation),
        // Headers are references to shared parameters.
        parameters: operation.parameters.filter((one) => !('$ref' in one)),
        body: type === undefined ? null : { type, schema, fits: compile(schema) },
        responses: responsesOf(operation, description, compile),
      };
    }),
  );
}

function accessOf({ security }: DescribedOperation): Operation['access'] {
  const schemes = security.flatMap((one) => Object.keys(one));
  if (schemes.includes('publicToken')) return 'public';
  if (schemes.includes('userToken')) return 'user';
  return schemes.includes('client') ? 'basic' : 'open';
}

function responsesOf(
  { responses }: DescribedOperation,
  { components }: Description,
  compile: Compile,
): Operation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { $ref, content: own }]) => {
      const content = ($ref ? components.responses[$ref.split('/').at(-1) ?? '']?.content : own) ?? {};
      const types = Object.entries(content).map(([type, { schema }]) => [mediaTypeOf(type), compile(schema)] as const);
      return [status, new Map(types)];
    }),
  );
}

/** A content type without its parameters. */
function mediaTypeOf(contentType: string): string {
  return (contentType.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** The schema with absolute references: the validator knows the document as `description`. */
function absolute(schema: JsonSchema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/')) as object;
}

/** A response as a client received it, or as the server sent it. */
export interface SentResponse {
  readonly status: number;
  /** The header `Content-Type`. */
  readonly type: string | null;
  /** The complete body; undefined: unknown. */
  readonly text: string | undefined;
}

/** The difference between a response and the description of its operation, or null. */
export function findFault({ name, responses }: Operation, response: SentResponse): string | null {
  const { status, type } = response;
  // The response to HEAD has only headers.
  const text = name.startsWith('HEAD ') ? undefined : response.text;
  if (isOfParser(response)) return null;
  const described = responses[status];
  if (!described) return `status ${status}, which is not documented`;
  if (described.size === 0) return text ? `status ${status} with a body, which is not documented` : null;
  // A body without a content type is empty.
  if (type === null && !text) return null;
  const fits = schemaOf(described, mediaTypeOf(type ?? ''));
  if (!fits) return `status ${status} with the type ${type}, which is not documented`;
  if (mediaTypeOf(type ?? '') !== 'application/json') return null;
  if (type !== jsonType) return `status ${status} with the type ${type}`;
  return text === undefined ? null : faultOfBody(status, text, fits());
}

function schemaOf(described: DescribedResponse, type: string) {
  return described.get(type) ?? described.get(`${type.split('/', 1)[0]}/*`);
}

function faultOfBody(
  status: number,
  text: string,
  fits: ReturnType<NonNullable<ReturnType<typeof schemaOf>>>,
): string | null {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return `status ${status} with a body that is not JSON`;
  }
  if (fits(body)) return null;
  const [error] = fits.errors ?? [];
  return `status ${status} with a body that does not match its schema: ${error?.instancePath || 'it'} ${error?.message ?? ''}`;
}

/** Node itself rejects invalid HTTP with an empty body; the service never receives it. */
function isOfParser({ status, type, text }: SentResponse): boolean {
  return [400, 408, 413, 431].includes(status) && type === null && text === '';
}
