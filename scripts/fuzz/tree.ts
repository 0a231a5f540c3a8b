/**
 * JSON as a fuzzed body has it: beside plain values, texts that no JSON writer would write, and things of the world,
 * which get their values when the request is sent.
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

/** Written as it is: huge numbers, doubled members. */
export class RawJson {
  constructor(readonly text: string) {}
}

/** A value that means something to the service: the `number`th of its name. */
export class Known {
  constructor(
    readonly name: string,
    readonly number: number,
  ) {}
}

/** What known values are, by name. */
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

/** As a text, where there is no JSON: in a path, a query, a form. */
export function writeText(tree: Tree, names: Names): string {
  if (tree instanceof Known) return valueOf(tree, names);
  return typeof tree === 'string' ? tree : writeJson(tree, names);
}

export function isList(tree: Tree): tree is readonly Tree[] {
  return Array.isArray(tree);
}

/** An object of members, and none of the special values. */
export function isObject(tree: Tree): tree is { readonly [name: string]: Tree } {
  return (
    typeof tree === 'object' && tree !== null && !isList(tree) && !(tree instanceof RawJson || tree instanceof Known)
  );
}
