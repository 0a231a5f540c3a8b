import type { Kind } from './kinds.js';

/** Kinds of the value of a column, by the type of the server. `any`: the type does not say, or nobody reads it. */
const columnKinds: Readonly<Record<string, Kind>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  uuid: 'string',
  date: 'string',
  timestamptz: 'Date',
  bytea: 'Buffer',
  json: 'json',
  jsonb: 'json',
  void: 'any',
};

const bindKinds: Readonly<Record<string, readonly Kind[]>> = {
  bool: ['boolean'],
  int2: ['number'],
  int4: ['number'],
  int8: ['number'],
  float4: ['number'],
  float8: ['number'],
  numeric: ['number', 'string'],
  text: ['string'],
  varchar: ['string'],
  bpchar: ['string'],
  name: ['string'],
  uuid: ['string'],
  date: ['string'],
  timestamptz: ['Date'],
  bytea: ['Buffer'],
  // The driver makes an array of PostgreSQL of an array.
  json: ['string', 'object'],
  jsonb: ['string', 'object'],
  interval: ['string'],
};

/** What the driver makes of a column of a type; undefined for a type that is not known here. */
export function kindOfColumn(type: string): Kind | undefined {
  if (!type.startsWith('_')) return columnKinds[type];
  const element = columnKinds[type.slice(1)];
  return element === undefined ? undefined : `${element}[]`;
}

/** What may be bound to a parameter of a type; undefined for a type that is not known here. */
export function kindsOfParameter(type: string): readonly Kind[] | undefined {
  return type.startsWith('_') ? bindKinds[type.slice(1)]?.map((kind) => `${kind}[]`) : bindKinds[type];
}

/** JSON can be anything but what it has no form for. */
export function isReadAs(kind: Kind, declared: Kind): boolean {
  if (kind === 'any' || declared === 'any' || kind === declared) return true;
  if (kind === 'json') return declared !== 'Date' && declared !== 'Buffer';
  if (kind.endsWith('[]'))
    return declared.endsWith('[]') && isReadAs(kind.slice(0, -2), withoutNull(declared.slice(0, -2)));
  return false;
}

function withoutNull(kind: Kind): Kind {
  return kind === 'null' ? 'any' : kind;
}
