import { expect } from 'chai';
import { describedService } from '../support/responseCheck.js';
import {
  anchorsIn,
  fieldTables,
  membersIn,
  membersInBraces,
  membersOfTable,
  shapeOf,
  tableOfSchema,
  documentedOperations,
  type DocumentedMember,
} from './contractTables.js';

/** A schema of the OpenAPI document. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface DescribedOperation {
  readonly parameters: readonly { in?: string; name: string; required: boolean; schema: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: Schema }>> }>>;
}

const document = describedService();
const schemas = document.components.schemas as unknown as Readonly<Record<string, Schema>>;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    shape: shapeOf(method, path),
    operation: operation as unknown as DescribedOperation,
  })),
);

/** Schemas that the contract describes in another form: bodies of errors, in the table of `#errors`. */
const otherwiseDescribed: ReadonlySet<string> = new Set(['OAuthError', 'BadClient']);

/** Operations that the contract gives in another form, beside those outside of these paths. */
const describedPath = /^[A-Z]+ \/(api|oauth|rest)\/(?!\{\}\/hooks\/)/;

const nameOf = ({ $ref }: Schema): string | undefined => $ref?.split('/').at(-1);
/** Requests have ISO 8601 as another form. */
const isDateTime = ({ properties = {}, anyOf: [first] = [] }: Schema): boolean =>
  first ? isDateTime(first) : Object.keys(properties).join() === 'date,time';

/** A member of a schema as a table tells it: its name, whether it is required, and what it is. */
interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

/** The members of a schema. Those of objects without a name of their own are `object.member`, or `list[].member`. */
function membersOf(schema: Schema, reported: readonly DocumentedMember[], prefix = ''): Member[] {
  return Object.entries(schema.properties ?? {}).flatMap(([word, member]) => {
    const name = prefix + word;
    const self = { name, isRequired: schema.required?.includes(word) ?? false, schema: member };
    const inner = member.items ?? member;
    const isObject = inner.properties !== undefined && !isDateTime(inner);
    if (!isObject) return [self];
    const within = membersOf(inner, reported, `${name}${member.items ? '[]' : ''}.`);
    // The object itself has a row only where there is something to say about it.
    return reported.some((one) => one.name === name) ? [self, ...within] : within;
  });
}

/** Whether a schema is of a type in the words of the contract; an empty text is every type. */
function isOfType(schema: Schema, type: string): boolean {
  const [anchor] = anchorsIn(type);
  if (type.startsWith('array of ')) return schema.items !== undefined && isOfType(schema.items, singular(type));
  if (anchor !== undefined) return tableOfSchema(nameOf(schema) ?? '')?.table.anchor === anchor;
  if (type === 'date and time') return isDateTime(schema);
  if (type === '') return true;
  if (type === 'array') return schema.type === 'array';
  if (type === 'object') return schema.type === 'object' || schema.$ref !== undefined;
  return schema.type === type;
}

/** `array of strings` as `string`. */
function singular(type: string): string {
  return type.slice('array of '.length).replace(/^(string|integer|object)s$/, '$1');
}

/** What the contract and the schema do not agree about. */
function differences(actual: readonly Member[], reported: readonly DocumentedMember[]): string[] {
  const found = reported.flatMap(({ name, isRequired, type }) => {
    const member = actual.find((one) => one.name === name);
    if (!member) return [`${name} is not in the schema`];
    const shown = JSON.stringify(member.schema);
    return [
      member.isRequired === isRequired ? '' : `${name} is ${member.isRequired ? '' : 'not '}required in the schema`,
      isOfType(member.schema, type) ? '' : `${name} is not "${type}" in the schema: ${shown}`,
    ].filter((difference) => difference !== '');
  });
  const names = reported.map(({ name }) => name);
  const twice = names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is told twice`);
  const untold = actual.filter(({ name }) => !names.includes(name)).map(({ name }) => `${name} is not in the contract`);
  return [...found, ...twice, ...untold];
}

/** The members of a request cell: those of the tables that it links to, and those that it names. */
function toldRequest(cell: string): DocumentedMember[] {
  const linked = anchorsIn(cell).flatMap((anchor) => {
    const table = fieldTables.find((one) => one.anchor === anchor);
    return table ? membersOfTable(table) : [];
  });
  return [...linked, ...membersIn(cell)];
}

function requestMembers(
  { parameters, requestBody }: DescribedOperation,
  reported: readonly DocumentedMember[],
): Member[] {
  const query = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, required, schema }) => ({ name, isRequired: required, schema }));
  const [body] = Object.values(requestBody?.content ?? {});
  return [...query, ...(body ? membersOf(body.schema, reported) : [])];
}

describe('The field tables of docs/contract.md and the schemas', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    if (otherwiseDescribed.has(name)) continue;
    it(`agree about ${name}`, () => {
      const described = tableOfSchema(name);
      if (!described) throw new Error(`no table of docs/contract.md names the schema ${name}`);
      const reported = membersOfTable(described.table, described.view);
      expect(differences(membersOf(schema, reported), reported)).to.deep.equal([]);
    });
  }

  it('every name of a schema in the tables is that of one', () => {
    const named = fieldTables.flatMap(({ schemas: ofTable }) => ofTable.map(({ name }) => name));
    const known = Object.keys(schemas);
    expect(
      named.filter((name) => !known.some((one) => new RegExp(`^${name.replace('*', '\\w+')}$`).test(one))),
    ).to.deep.equal([]);
  });
});

describe('The tables of operations of docs/contract.md and the schemas', () => {
  it('have the same operations', () => {
    const shapes = operations.map(({ shape }) => shape).filter((shape) => describedPath.test(shape));
    const reported = new Set(
      documentedOperations.map(({ shape }) => shape).filter((shape) => describedPath.test(shape)),
    );
    expect([...reported].toSorted()).to.deep.equal(shapes.toSorted());
  });

  for (const { shape, operation } of operations) {
    const reported = documentedOperations.filter((one) => one.shape === shape);
    if (reported.length === 0) continue;
    it(`agree about the request of ${shape}`, () => {
      for (const { request } of reported) {
        const members = toldRequest(request);
        expect(differences(requestMembers(operation, members), members)).to.deep.equal([]);
      }
    });

    it(`agree about the response of ${shape}`, () => {
      for (const { response } of reported) {
        const [, status = ''] = /^(\d{3})/.exec(response) ?? [];
        const content = operation.responses[status]?.content ?? {};
        const json = Object.entries(content).find(([type]) => type.startsWith('application/json'))?.[1].schema;
        const inBraces = membersInBraces(response);
        expect(operation.responses, status).to.have.property(status);
        if (!json) continue;
        if (json.$ref === undefined) expect(differences(membersOf(json, []), inBraces ?? [])).to.deep.equal([]);
        else expect(anchorsIn(response)).to.include.members(anchorsOf(json));
      }
    });
  }
});

/** The anchors of the tables of a named schema, and of the items of a page. */
function anchorsOf(schema: Schema): string[] {
  const name = nameOf(schema) ?? '';
  const item = schemas[name]?.properties?.['items']?.items;
  const anchor = tableOfSchema(name)?.table.anchor;
  return [
    ...(anchor === undefined ? [] : [anchor]),
    ...(item?.$ref && anchor === 'fields-page' ? anchorsOf(item) : []),
  ];
}
