import type { Node } from 'typescript/unstable/ast';
import { TypeFlags, type Type } from 'typescript/unstable/sync';
import type { Sources } from './sources.js';

/** The kind of a value: `string`, `Date`, `null`, `number[]`, or `any` if the type does not determine it. */
export type Kind = string;

const primitives: readonly (readonly [TypeFlags, Kind])[] = [
  [TypeFlags.Any | TypeFlags.Unknown, 'any'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.Undefined | TypeFlags.Void, 'undefined'],
  [TypeFlags.StringLike, 'string'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BigIntLike, 'bigint'],
  [TypeFlags.BooleanLike, 'boolean'],
  [TypeFlags.NonPrimitive, 'object'],
];

const open = TypeFlags.TypeParameter | TypeFlags.IndexedAccess | TypeFlags.Conditional | TypeFlags.Index;

/** The kinds of a type, each once. */
export function kindsOf({ checker }: Sources, type: Type): readonly Kind[] {
  const of = (one: Type): Kind[] => {
    const primitive = primitives.find(([flags]) => (one.flags & flags) !== 0);
    if (primitive) return [primitive[1]];
    if (one.isUnionType()) return one.getTypes().flatMap(of);
    if (one.isIntersectionType()) {
      const [branded] = one
        .getTypes()
        .flatMap(of)
        .filter((kind) => kind !== 'object');
      return [branded ?? 'object'];
    }
    if ((one.flags & open) !== 0) {
      const constraint = checker.getBaseConstraintOfType(one);
      return constraint && constraint.id !== one.id ? of(constraint) : ['any'];
    }
    if (checker.isArrayLikeType(one) && one.isTypeReference()) {
      const elements = new Set(checker.getTypeArguments(one).flatMap(of));
      return elements.size === 0 ? ['any[]'] : [...elements].map((kind) => `${kind}[]`);
    }
    const name = one.getSymbol()?.name;
    if (name === 'Date') return ['Date'];
    return [name === 'Buffer' || name === 'Uint8Array' ? 'Buffer' : 'object'];
  };
  return [...new Set(of(type))];
}

/** The possible texts of an expression, or null if its type is not a union of literals. */
export function literalsOf(sources: Sources, node: Node): readonly string[] | null {
  const type = sources.typeOf(node);
  if (!type) return null;
  const constraint = (type.flags & open) !== 0 ? sources.checker.getBaseConstraintOfType(type) : type;
  const members = constraint?.isUnionType() ? constraint.getTypes() : constraint ? [constraint] : [];
  const texts = members.map((one) =>
    one.isStringLiteralType() || one.isNumberLiteralType() ? String(one.value) : null,
  );
  return texts.length > 0 && texts.every((text) => text !== null) ? texts : null;
}

/** The kind of a column's value by its server type. `any`: unknown, or never read. */
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
  // The driver converts an array to a PostgreSQL array.
  json: ['string', 'object'],
  jsonb: ['string', 'object'],
  interval: ['string'],
};

/** The kind of value that the driver returns for a column type; undefined for an unknown type. */
export function kindOfColumn(type: string): Kind | undefined {
  if (!type.startsWith('_')) return columnKinds[type];
  const element = columnKinds[type.slice(1)];
  return element === undefined ? undefined : `${element}[]`;
}

/** The kinds of values that may be bound to a parameter type; undefined for an unknown type. */
export function kindsOfParameter(type: string): readonly Kind[] | undefined {
  return type.startsWith('_') ? bindKinds[type.slice(1)]?.map((kind) => `${kind}[]`) : bindKinds[type];
}

/** JSON can be read as any kind that it can represent. */
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
