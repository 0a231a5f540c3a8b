import type { Field } from './describedFields.js';

/** Meanings that at least this many tables share are described once, in the table of common fields. */
const minTables = 3;

/** A schema that a table describes, with the name of its view. */
export interface ViewedFields {
  readonly view: string;
  readonly fields: readonly Field[];
}

/** The fields of several schemas as one list: the meaning of a field that only some schemas have begins with their views. */
export function mergedViews(schemas: readonly ViewedFields[]): Field[] {
  const names = [...new Set(schemas.flatMap(({ fields }) => fields.map(({ name }) => name)))];
  return names.map((name) => {
    const found = schemas.flatMap(({ view, fields }) =>
      fields.filter((field) => field.name === name).map((field) => ({ view, field })),
    );
    const unique = (part: (field: Field) => string): string[] => [...new Set(found.map(({ field }) => part(field)))];
    const views = found.map(({ view }) => view).filter((view) => view !== '');
    const prefix = found.length === schemas.length || views.length === 0 ? '' : `${views.join(', ')}: `;
    return {
      ...{ name, isResponse: found.some(({ field }) => field.isResponse) },
      isRequired: found.every(({ field }) => field.isRequired),
      type: unique(({ type }) => type).join(' or '),
      meaning: prefix + unique(({ meaning }) => meaning).join(' '),
    };
  });
}

/** The common fields of several tables: for each name its most frequent meaning, with the type in responses and in requests. */
export class CommonFields implements OtherTable {
  readonly link = '[common fields](#common-fields)';
  private readonly fields: readonly Field[];

  constructor(tables: readonly (readonly Field[])[]) {
    const found = tables.flatMap((table, index) => table.map((field) => ({ ...field, name: wordOf(field), index })));
    const shared = groupsBy(found, ({ name }) => name).flatMap(prevailingMeaning);
    this.fields = shared.filter((field) => {
      const alike = shared.filter((one) => isSame(one, field) && one.isResponse === field.isResponse);
      // Values and schemas must be equal; lengths may be those of most requests.
      if (/[`[]/.test(field.type) && alike.some(({ type }) => type !== field.type)) return false;
      const typeUses = (type: string): number => alike.filter((one) => one.type === type).length;
      const [first] = alike.toSorted((one, another) => typeUses(another.type) - typeUses(one.type));
      return field.type === first?.type;
    });
  }

  has(field: Field): boolean {
    const one = { ...field, name: wordOf(field) };
    return this.fields.some(
      (common) => isSame(common, one) && common.type === one.type && common.isResponse === one.isResponse,
    );
  }

  /** The table of all common fields, by name. */
  table(): string {
    const rows = this.fields.map((field) => {
      const types = this.fields.filter((one) => isSame(one, field)).toSorted((one) => (one.isResponse ? -1 : 1));
      const [response, request = response] = [...new Set(types.map(({ type }) => type))];
      const type = request === response ? response : `${response}; in requests ${request}`;
      return rowOf({ ...field, isRequired: true, type: type ?? '' });
    });
    return [heading, ...[...new Set(rows)].toSorted()].join('\n');
  }
}

function groupsBy<Item>(items: readonly Item[], key: (item: Item) => string): Item[][] {
  return [...new Set(items.map(key))].map((value) => items.filter((item) => key(item) === value));
}

/**
 * The fields of one name with the meaning that most tables have; none if these are fewer than `minTables`. A meaning in responses
 * takes precedence over one that only requests have, such as that of a filter.
 */
function prevailingMeaning(fields: readonly (Field & { readonly index: number })[]): readonly Field[] {
  const meanings = groupsBy(fields, ({ meaning }) => meaning)
    .map((alike) => ({ alike, tables: new Set(alike.map(({ index }) => index)).size }))
    .filter(({ tables }) => tables >= minTables);
  const inResponses = meanings.filter(({ alike }) => alike.some(({ isResponse }) => isResponse));
  const [first] = (inResponses.length > 0 ? inResponses : meanings).toSorted((one, other) => other.tables - one.tables);
  return first?.alike ?? [];
}

/** The last part of a nested field's name, which has the same meaning in all objects. */
function wordOf({ name }: Field): string {
  return name.split('.').at(-1) ?? name;
}

function isSame(one: Field, another: Field): boolean {
  return one.name === another.name && one.meaning === another.meaning;
}

/** Fields that another table describes, with a link to it. */
export interface OtherTable {
  readonly link: string;
  readonly has: (field: Field) => boolean;
}

/** The requests of the same section whose field has the same type and meaning as a field of the response. */
export function requestTable(fields: readonly Field[], anchor: string): OtherTable {
  return {
    link: `as in [requests](#${anchor})`,
    has: (field) =>
      fields.some((one) => wordOf(one) === wordOf(field) && one.meaning === field.meaning && isWithin(one, field)),
  };
}

/** Whether the type of a request equals that of a response, perhaps with a range. */
function isWithin(request: Field, response: Field): boolean {
  if (/[`[]/.test(response.type)) return request.type === response.type;
  return request.type.split(', ')[0] === response.type.split(', ')[0];
}

/** A table of fields. Fields of other tables are names with a link. */
export function fieldTable(fields: readonly Field[], others: readonly OtherTable[] = [], schemas = ''): string {
  const isElsewhere = (field: Field): OtherTable | undefined => others.find((other) => other.has(field));
  const links = others.flatMap((other) => {
    const names = fields.filter((field) => isElsewhere(field) === other).map(nameCell);
    return names.length === 0 ? [] : [`| ${names.join(', ')} | | ${other.link} |`];
  });
  const own = fields.filter((field) => !isElsewhere(field));
  const rows = own.map((field) =>
    rowOf(...own.filter((one) => one.type === field.type && one.meaning === field.meaning)),
  );
  return [schemas ? heading.replace('Meaning', `Meaning in ${schemas}`) : heading, ...links, ...new Set(rows)].join(
    '\n',
  );
}

const heading = '| Field | Type | Meaning |\n|---|---|---|';

export function nameCell({ name, isRequired }: Field): string {
  return `\`${name}${isRequired ? '' : '?'}\``;
}

/** A row of fields with the same type and meaning. */
function rowOf(...fields: readonly Field[]): string {
  const [{ type, meaning } = { type: '', meaning: '' }] = fields;
  return `| ${fields.map(nameCell).join(', ')} | ${cell(type)} | ${cell(meaning)} |`;
}

/** A text as a table cell. */
export function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
