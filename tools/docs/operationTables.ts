import { accessOf, type AccessRule } from '../../api/http/access.js';
import { memberDescriptions } from '../../api/http/memberDescriptions.js';
import { definitionOf, successOf, type Field, type OperationFields } from './describedFields.js';
import { cell, nameCell } from './fieldTables.js';
import { schemaName, type PathOperation } from './openapiTypes.js';
import { schemaLink, type Anchors } from './typeText.js';

/** A part of requests with its own table, such as the body of every search. */
export interface SharedRequest {
  readonly title: string;
  readonly anchor: string;
  readonly fields: readonly Field[];
}

/** An operation with its fields. */
export interface FieldedOperation {
  readonly operation: PathOperation;
  readonly fields: OperationFields;
}

const who: Readonly<Record<AccessRule, string>> = {
  public: 'P',
  user: 'U',
  client: 'B',
  integration: 'B',
  open: 'open',
};

/** The table of operations: a row for each, with all information for callers except the fields. */
export function operationTable(
  operations: readonly FieldedOperation[],
  shared: readonly SharedRequest[],
  anchors: Anchors,
): string {
  const rows = operations.map(({ operation, fields }) => {
    const { method, path, summary, description } = operation;
    const access = who[accessOf(path)];
    const cells = [
      requestText(fields, shared),
      responseText(operation, fields, anchors),
      `**${summary}.** ${description}`,
    ];
    return `| ${method} \`${path}\` | ${access} | ${cells.map(cell).join(' | ')} |`;
  });
  return ['| Method, path | Who | Request | Response | Meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

const bodyTypes: Readonly<Record<string, string>> = {
  'multipart/form-data': 'multipart: ',
  'application/x-www-form-urlencoded': 'form: ',
};

function requestText(
  { query, headers, body, bodyType = '' }: OperationFields,
  shared: readonly SharedRequest[],
): string {
  const parts = [
    bodyType === 'application/offset+octet-stream' ? 'bytes of the file' : '',
    prefixed('header ', namesOf(headers, [])),
    prefixed('query ', namesOf(query, shared)),
    prefixed(bodyTypes[bodyType] ?? '', namesOf(body, shared)),
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function prefixed(prefix: string, text: string): string {
  return text && prefix + text;
}

/** The names of a body's fields without nested fields; a shared part as a link to its table. */
function namesOf(fields: readonly Field[], shared: readonly SharedRequest[]): string {
  const part = shared.find((one) => one.fields.every(({ name }) => fields.some((field) => field.name === name)));
  const own = fields.filter((field) => isTop(field) && !part?.fields.some((one) => isSame(one, field)));
  return [...(part ? [`[${part.title}](#${part.anchor})`] : []), ...own.map(nameCell)].join(', ');
}

function isTop({ name }: Field): boolean {
  return !/[.[]/.test(name);
}

function isSame(one: Field, another: Field): boolean {
  return definitionOf(one) === definitionOf(another);
}

/** Statuses that follow from an operation's access rule and method. */
function isImplied(status: string, { method, path }: PathOperation): boolean {
  const access = accessOf(path);
  if (['400', '500', '503'].includes(status)) return true;
  if (status === '401') return access !== 'open';
  if (status === '403') return access === 'user';
  return ['408', '413', '415'].includes(status) && method === 'POST';
}

function responseText(
  operation: PathOperation,
  { response, responseHeaders }: OperationFields,
  anchors: Anchors,
): string {
  const { status, response: success } = successOf(operation);
  const contents = Object.entries(success.content ?? {}).map(([type, { schema }]) => {
    const name = schemaName(schema);
    if (name !== undefined) return schemaLink(name, anchors);
    if (response.length > 0 && type.startsWith('application/json')) return objectOf(response);
    return `\`${type.replace(/;.*/, '')}\``;
  });
  const headers = [...(success.headers?.['Location'] ? ['`Location`'] : []), ...responseHeaders.map(nameCell)];
  const content = [[...new Set(contents)].join(' or '), headers.join(', ')].filter((part) => part !== '').join('; ');
  const others = Object.keys(operation.responses).filter((one) => one !== status && !isImplied(one, operation));
  return `${status} ${content}`.trim() + (others.length > 0 ? `<br>${others.join(', ')}` : '');
}

function objectOf(fields: readonly Field[]): string {
  return `{${fields.filter(isTop).map(nameCell).join(', ')}}`;
}

/** A field and the operations that have it. */
export interface FieldUse {
  readonly field: Field;
  readonly operations: readonly PathOperation[];
}

/** The fields of the operations, each definition once, without fields of shared parts. */
export function fieldUses(operations: readonly FieldedOperation[], shared: readonly SharedRequest[]): FieldUse[] {
  const found = operations.flatMap(({ operation, fields }) =>
    [...fields.path.filter(hasOwnMeaning), ...fields.query, ...fields.headers, ...fields.body]
      .concat(fields.response, fields.responseHeaders)
      .filter((field) => !shared.some((part) => part.fields.some((one) => isSame(one, field))))
      .map((field) => ({ field, operation })),
  );
  const first = found.filter(({ field }, index) => found.findIndex((one) => isSame(one.field, field)) === index);
  return first.map(({ field }) => {
    const uses = found.filter((one) => isSame(one.field, field));
    const isRequired = uses.some((one) => one.field.isRequired);
    return { field: { ...field, isRequired }, operations: uses.map(({ operation }) => operation) };
  });
}

/** The fields by name. If a name has several meanings, each begins with its operations. */
export function labelledFields(uses: readonly FieldUse[]): Field[] {
  const names = [...new Set(uses.map(({ field }) => field.name))];
  return names.flatMap((name) => {
    const variants = uses.filter(({ field }) => field.name === name);
    return variants.map(({ field, operations }) => {
      const paths = [...new Set(operations.map(({ method, path }) => `${method} \`${path}\``))].join(', ');
      return variants.length === 1 ? field : { ...field, meaning: `${paths}: ${field.meaning}` };
    });
  });
}

/** Path parameters mostly have the common meaning of their name. */
function hasOwnMeaning({ name, meaning }: Field): boolean {
  return memberDescriptions[name.slice(1, -1)] !== meaning;
}
