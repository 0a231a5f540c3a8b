import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { JsonSchema } from './fromSchema.js';

/** One operation of the OpenAPI document. */
export interface Operation {
  /** `POST /api/box/{boxId}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly access: 'public' | 'user' | 'basic' | 'open';
  readonly parameters: readonly {
    readonly name: string;
    readonly in: 'path' | 'query' | 'header';
    readonly schema: JsonSchema;
  }[];
  readonly body: { readonly type: string; readonly schema: JsonSchema } | null;
  /** Declared responses by status; `default` may be one of them. */
  readonly responses: Readonly<Record<string, DeclaredResponse>>;
}

export interface DeclaredResponse {
  /** Null: not JSON, so the body is not checked. */
  readonly fits: ValidateFunction | null;
  readonly type: string | null;
  /** Other media types that are allowed, without parameters. */
  readonly otherTypes: readonly string[];
}

/** The parts of an OpenAPI 3.1 document that the fuzzer reads. */
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

const formats = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: (text: string) => URL.canParse(text),
};

/** All operations, with a compiled validator for each response. */
export function operationsOf(description: Description): Operation[] {
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats });
  ajv.addSchema({ $id: 'description', components: description.components });
  return Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Operation => {
      const [type, { schema } = { schema: {} }] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
      return {
        name: `${method.toUpperCase()} ${path}`,
        method: method.toUpperCase(),
        path,
        access: accessOf(operation),
        parameters: operation.parameters.filter((one) => one.in !== 'header'),
        body: type === undefined ? null : { type, schema },
        responses: responsesOf(operation, description, ajv),
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
  ajv: Ajv2020,
): Operation['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { $ref, content: own }]) => {
      const content = $ref ? components.responses[$ref.split('/').at(-1) ?? '']?.content : own;
      const [first, ...others] = Object.entries(content ?? {});
      const [type, declared] = first ?? [null, undefined];
      const fits = declared ? ajv.compile(absolute(declared.schema)) : null;
      return [status, { fits, type, otherTypes: others.map(([other]) => other) }];
    }),
  );
}

/** The schema with its references made absolute: the validator knows the document as `description`. */
function absolute(schema: JsonSchema): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"description#/components/')) as object;
}
