import { isDateTime, typeText, type Anchors } from './typeText.js';
import type { DescribedParameter, DescribedSchema, DescribedService, PathOperation } from './openapiTypes.js';

/** A row of a table of fields. */
export interface Field {
  /** Of an object within the body: `profile.email`, of one in a list: `tracks[].label`. */
  readonly name: string;
  readonly isRequired: boolean;
  readonly type: string;
  readonly meaning: string;
  readonly isResponse: boolean;
}

/** The members that identify equal fields in two tables. */
export function definitionOf({ name, type, meaning }: Field): string {
  return [name, type, meaning].join('\n');
}

/** The fields of an object, each before its nested fields. */
export function fieldsOf(schema: DescribedSchema, anchors: Anchors, isResponse: boolean, prefix = ''): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([word, member]) => {
    const name = prefix + word;
    const isRequired = schema.required?.includes(word) ?? false;
    const self = {
      name,
      isRequired,
      type: typeText(member, anchors),
      meaning: sentence(member.description),
      isResponse,
    };
    if (isDateTime(member)) return [self];
    return [self, ...fieldsOf(member.items ?? member, anchors, isResponse, `${name}${member.items ? '[]' : ''}.`)];
  });
}

/** The parts of a request that the caller sets, and those of the response without a named schema. */
export interface OperationFields {
  readonly path: readonly Field[];
  readonly query: readonly Field[];
  readonly headers: readonly Field[];
  readonly body: readonly Field[];
  /** Content type of the body. */
  readonly bodyType: string | undefined;
  readonly response: readonly Field[];
  readonly responseHeaders: readonly Field[];
}

/** Parameters of every operation, described in `docs/contract.md#requests`. */
const everywhere: ReadonlySet<string> = new Set(['Accept-Language', 'X-Service-timezone']);

export function operationFields(
  operation: PathOperation,
  service: DescribedService,
  anchors: Anchors,
): OperationFields {
  const parameters = operation.parameters.map((one) =>
    one.$ref ? (service.components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? one) : one,
  );
  const within = (location: DescribedParameter['in']): Field[] =>
    parameters
      .filter((one) => one.in === location && !everywhere.has(one.name))
      .map((one) => ofParameter(one, anchors));
  const [bodyType, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const { content = {}, headers = {} } = successOf(operation).response;
  const json = Object.entries(content).find(([type]) => type.startsWith('application/json'))?.[1].schema;
  return {
    path: within('path').map((field) => ({ ...field, name: `{${field.name}}` })),
    query: within('query'),
    headers: within('header'),
    body: body ? fieldsOf(body.schema, anchors, false) : [],
    bodyType,
    response: json && !json.$ref ? fieldsOf(json, anchors, true) : [],
    responseHeaders: Object.entries(headers)
      .filter(([name]) => name !== 'Location')
      .map(([name, { description }]) => ({
        ...{ name, isRequired: true, type: 'string', meaning: sentence(description), isResponse: true },
      })),
  };
}

/** The response of a successful request. */
export function successOf({ responses }: PathOperation) {
  const [status = '', response = {}] = Object.entries(responses).find(([name]) => name < '400') ?? [];
  return { status, response };
}

function ofParameter({ name, required = false, description, schema }: DescribedParameter, anchors: Anchors): Field {
  const meaning = sentence(description);
  return { name, isRequired: required, type: typeText(schema, anchors), meaning, isResponse: false };
}

/** A description as a sentence. */
function sentence(text = ''): string {
  return text === '' || /[.:]$/.test(text) ? text : `${text}.`;
}
