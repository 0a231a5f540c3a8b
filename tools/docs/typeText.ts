import { schemaName, type DescribedSchema } from './openapiTypes.js';

/** The anchor of the table of a named schema; `*Page` is the table of all pages. */
export type Anchors = ReadonlyMap<string, string>;

/** Text formats that `docs/contract.md#conventions` describes, by the example in their schemas. */
const forms: Readonly<Record<string, string>> = {
  '12,50': 'price',
  '3:07': 'duration',
  '31/12/2026': 'date',
  '31/12/1990': 'date',
  'urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20': 'content id',
};
const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  email: 'e-mail address',
  uri: 'URL',
  binary: 'bytes',
};

/** Suffixes of the names of schemas that contain another one (`namedAfter`), with their words. */
const wrappers = [
  ['Page', 'page'],
  ['Play', 'play result'],
  ['PaymentStart', 'payment start'],
] as const;

/** Type and range of a schema: `integer, 1 to 50, default 1`. */
export function typeText(schema: DescribedSchema, anchors: Anchors): string {
  const value =
    schema.default === undefined || schema.default === '' ? '' : `, default ${JSON.stringify(schema.default)}`;
  return `${typeOf(schema, anchors)}${rangeOf(schema)}${value.replaceAll('"', '`')}`;
}

function typeOf(schema: DescribedSchema, anchors: Anchors): string {
  const name = schemaName(schema);
  if (name !== undefined) return schemaLink(name, anchors);
  if (isDateTime(schema)) return 'date and time';
  if (schema.items) return arrayOf(schema, typeText(schema.items, anchors));
  if (schema.anyOf) return [...new Set(schema.anyOf.map((one) => typeText(one, anchors)))].join(' or ');
  if (schema.enum) return schema.enum.map((value) => (value === '' ? 'empty' : `\`${String(value)}\``)).join(', ');
  const form = forms[String(schema.examples?.[0])] ?? formats[schema.format ?? ''];
  return form ?? [schema.type ?? 'any value'].flat().join(' or ');
}

/** Requests accept ISO 8601 as well. */
export function isDateTime({ properties = {}, anyOf: [first] = [] }: DescribedSchema): boolean {
  return first ? isDateTime(first) : Object.keys(properties).join() === 'date,time';
}

/** `array of up to 50 strings, up to 100 characters each`. */
function arrayOf({ minItems, maxItems }: DescribedSchema, item: string): string {
  const items = item.replace(/^(string|integer|object|UUID)\b/, '$1s');
  return `array of ${bounds(minItems, maxItems, ' ')}${items.includes(' characters') ? `${items} each` : items}`;
}

function rangeOf(schema: DescribedSchema): string {
  if (schema.enum) return '';
  // A minimum length of 1 follows from the meaning.
  const minLength = schema.minLength === 1 ? 0 : schema.minLength;
  const ranges = [bounds(schema.minimum, schema.maximum, ''), bounds(minLength, schema.maxLength, ' characters')];
  return ranges.map((range) => (range === '' ? '' : `, ${range}`)).join('');
}

function bounds(minimum = 0, maximum: number | undefined, unit: string): string {
  const [from, to] = [minimum, maximum].map((value) => value?.toLocaleString('en'));
  if (minimum === maximum) return `${to}${unit}`;
  if (to !== undefined) return `${minimum > 0 ? `${from} to` : 'up to'} ${to}${unit}`;
  return minimum > 0 ? `at least ${from}${unit}` : '';
}

export function hasTable(name: string, anchors: Anchors): boolean {
  return anchors.has(name) || wrappers.some(([ending]) => name.endsWith(ending) && anchors.has(`*${ending}`));
}

/** A named schema as a link to its table: `[page](#fields-page) of [Bundle](#fields-bundle)`. */
export function schemaLink(name: string, anchors: Anchors): string {
  const own = anchors.get(name);
  if (own !== undefined) return `[${name}](#${own})`;
  for (const [ending, word] of wrappers) {
    const anchor = anchors.get(`*${ending}`);
    if (anchor !== undefined && name.endsWith(ending))
      return `[${word}](#${anchor}) of ${schemaLink(name.slice(0, -ending.length), anchors)}`;
  }
  throw new Error(`docs/contract.md has no table of the schema ${name}: add <!-- fields: ${name} -->`);
}
