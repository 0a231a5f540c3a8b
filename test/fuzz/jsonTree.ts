/**
 * A JSON value of a generated request: plain values, text that JSON.stringify would never write, and placeholders that are replaced
 * with fixture values when the request is sent.
 */
export type Tree =
  | null
  | boolean
  | number
  | string
  | RawJson
  | Known
  | readonly Tree[]
  | { readonly [name: string]: Tree };

/** Text that is written unchanged: huge numbers, duplicate members. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** A placeholder for a fixture value: its index among the values of the name. */
export class Known {
  constructor(
    readonly name: string,
    readonly number: number,
  ) {}
}

/** The values of the fixtures, by name. */
export type Names = Readonly<Record<string, readonly string[]>>;

export function valueOf({ name, number }: Known, names: Names): string {
  const values = names[name] ?? [];
  return values[number % Math.max(values.length, 1)] ?? '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';
}

export function writeJson(tree: Tree, names: Names): string {
  if (tree instanceof RawJson) return tree.text;
  if (tree instanceof Known) return JSON.stringify(valueOf(tree, names));
  if (isList(tree)) return `[${tree.map((one) => writeJson(one, names)).join(',')}]`;
  if (typeof tree === 'object' && tree !== null) {
    const members = Object.entries(tree).map(([name, value]) => `${JSON.stringify(name)}:${writeJson(value, names)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(tree) ?? 'null';
}

/** Plain text for a path, a query or a form. */
export function writeText(tree: Tree, names: Names): string {
  if (tree instanceof Known) return valueOf(tree, names);
  return typeof tree === 'string' ? tree : writeJson(tree, names);
}

export function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}

/** A plain object, not one of the special values. */
export function isObject(tree: Tree): tree is { readonly [name: string]: Tree } {
  return (
    typeof tree === 'object' && tree !== null && !isList(tree) && !(tree instanceof RawJson || tree instanceof Known)
  );
}
