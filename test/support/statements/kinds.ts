import type { Node } from 'typescript/unstable/ast';
import { TypeFlags, type Type } from 'typescript/unstable/sync';
import type { Sources } from './project.js';

/** What a value of a type can be: `string`, `Date`, `null`, `number[]`. `any` where the type does not say. */
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

/** The texts that the value of an expression can be. Null: its type is no union of literals. */
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
