import type { Node } from 'typescript/unstable/ast';
import type { Description } from './describe.js';
import type { FoundStatement } from './find.js';
import { kindsOf, type Kind } from './kinds.js';
import type { Sources } from './project.js';
import { kindsOfParameter } from './serverTypes.js';
import { ObjectValue, UnknownValue } from './values.js';

/** A property of the bind argument. */
interface Bound {
  readonly kinds: readonly Kind[];
  /** Where it is written in a literal. */
  readonly node: Node | null;
}

/** The properties of an argument. Null: its type does not name them. */
export function bindsOf(sources: Sources, { binds }: FoundStatement): ReadonlyMap<string, Bound> | null {
  if (binds === undefined) return new Map();
  const bound = new Map<string, Bound>();
  const unknown = binds instanceof ObjectValue ? binds.spread : binds instanceof UnknownValue ? [binds] : [];
  for (const { node } of unknown) {
    const type = sources.typeOf(node);
    if (!type || sources.checker.getIndexInfosOfType(type).length > 0) return null;
    // Of a union, which of its types it is decides the same that the text depends on.
    for (const member of type.isUnionType() ? type.getTypes() : [type])
      for (const property of sources.checker.getPropertiesOfType(member)) {
        const declared = sources.checker.getTypeOfSymbol(property);
        bound.set(property.name, { kinds: declared ? kindsOf(sources, declared) : ['any'], node: null });
      }
  }
  if (binds instanceof ObjectValue)
    for (const [name, { expression, node }] of binds.entries) {
      const type = sources.typeOf(expression);
      bound.set(name, { kinds: type ? kindsOf(sources, type) : ['any'], node });
    }
  return bound;
}

/** What is wrong with the values of the parameters `names`. One sentence each. */
export function bindFaults(
  bound: ReadonlyMap<string, Bound> | null,
  names: readonly string[],
  { parameters }: Description,
): string[] {
  return names.flatMap((name, position) => {
    const value = bound?.get(name);
    if (bound === null) return [];
    if (!value) return [`the bind $${name} is missing`];
    if (value.kinds.includes('undefined')) return [`the bind $${name} may be undefined`];
    const type = parameters[position] ?? '';
    const possible = kindsOfParameter(type);
    if (!possible)
      return [`the bind $${name} has the type ${type}, which test/support/statements/serverTypes.ts does not know`];
    const isPossible = (kind: Kind): boolean =>
      ['any', 'null', 'any[]', 'null[]'].includes(kind) || possible.includes(kind);
    if (value.kinds.every(isPossible)) return [];
    return [`the bind $${name} is ${type}, but its value is ${value.kinds.join(' | ')}`];
  });
}
