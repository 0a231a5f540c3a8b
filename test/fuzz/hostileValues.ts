import fc from 'fast-check';
import { isList, isObject, RawJson, type Tree } from './jsonTree.js';

/** Texts that are known to break services: their databases, paths, headers, pages, patterns and prototypes. */
export const hostileTexts: readonly string[] = [
  ...[
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\udfff\ud800',
    '\ufeff',
    '\u202e',
    '\u200b',
    '👩‍👩‍👧‍👦',
    'İı',
    'ß'.repeat(200),
  ],
  ...["'", '"', "' OR '1'='1", "'; DROP TABLE users; --", '$1', '$name', ':name', '\\', '%', '_', '%00', '%', '%zz'],
  ...['../../etc/passwd', '..%2f..%2f', '/', '//', '.', '..', 'a/b', 'file:///etc/passwd', 'C:\\x', '~root'],
  ...['\r\nX-Injected: 1', '\r\n\r\n', '\t', '<script>alert(1)</script>', '{{7*7}}', '${token}', '${7*7}', '{{'],
  ...['__proto__', 'constructor', 'toString', 'null', 'undefined', 'NaN', 'true', '[object Object]', 'hasOwnProperty'],
  ...[
    '0',
    '-0',
    '-1',
    '1e9',
    '1e400',
    '0x10',
    '9'.repeat(40),
    '١٢٣',
    '1,5',
    '1.5',
    '12,345',
    '-0,01',
    '0,00',
    '99999999,99',
  ],
  ...['31/02/2026', '00/00/0000', '29/02/1900', '31/12/99999', '2026-01-01', '99:99:99'],
  ...['(a+)+$', '*', '**', 'a*', '"*', 'a & b', '! | &', 'a:*b', '((((', '<->', '\\\\*', "a'b:*"],
  ...[
    ...['http://', 'https://[::1', 'javascript:alert(1)', 'http://a@b:c@d', 'https://user:pass@example.org/'],
    'http://☃.net/',
  ],
  ...[
    'urn:video:content:',
    'urn:video:content:00000000-0000-0000-0000-000000000000',
    '00000000-0000-0000-0000-000000000000',
  ],
  ...[
    '{6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20}',
    '6F1C7F3E-8B1F-4C55-9A54-3C6A2F6E1D20',
    'a'.repeat(300),
    'é'.repeat(30_000),
  ],
];

const hostileNumbers: readonly Tree[] = [
  ...[0, -1, 1.5, 2 ** 31, 2 ** 31 - 1, 2 ** 32, -(2 ** 31) - 1, 2 ** 53, Number.MAX_VALUE, 5e-324],
  ...['1e400', '-1e400', '-0', '9'.repeat(30), '1.0000000000000000000001', '1E+2'].map((text) => new RawJson(text)),
];

/** Values that services often overlook: texts that PostgreSQL cannot store, numbers outside its range. */
const worst: readonly Tree[] = ['\u0000', 'a\u0000b', '\ud800', 2 ** 53, -(2 ** 31) - 1, new RawJson('1e400')];

/** Values that are invalid in most places. */
export const hostileValue: fc.Arbitrary<Tree> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...worst) },
  { weight: 6, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 3, arbitrary: fc.constantFrom(...hostileNumbers) },
  { weight: 3, arbitrary: fc.constantFrom<Tree>(null, true, false, [], {}, [null], [[]], [{}], { a: null }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Tree> },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Tree>(
      { __proto__: null, constructor: { prototype: { polluted: true } } },
      new RawJson('{"__proto__":{"polluted":true}}'),
      new RawJson('{"a":1,"a":2}'),
      new RawJson(`${'['.repeat(2_000)}${']'.repeat(2_000)}`),
      new RawJson(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`),
      new RawJson(`{${Array.from({ length: 11_000 }, (_, number) => `"m${number}":0`).join()}}`),
      Array.from({ length: 2_000 }, (_, number) => number),
      { $gt: '' },
      { toString: 'x', length: 3 },
    ),
  },
);

/** One change to a correct body, at the position with this number. */
export interface Spoil {
  readonly how: 'replace' | 'remove' | 'add' | 'rename' | 'wrap';
  readonly at: number;
  readonly value: Tree;
  readonly name: string;
}

export const spoil: fc.Arbitrary<Spoil> = fc.record({
  how: fc.constantFrom<Spoil['how']>('replace', 'replace', 'replace', 'replace', 'remove', 'add', 'rename', 'wrap'),
  at: fc.nat(1_000),
  value: hostileValue,
  name: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'id', 'ownerId', 'a.b', '', 'userId'), fc.string()),
});

/** The tree with one changed position; a tree without positions is replaced with the value. */
export function spoilt(tree: Tree, one: Spoil): Tree {
  const places = placesOf(tree);
  const place = places[one.at % Math.max(places.length, 1)];
  return place ? at(tree, place, one) : one.value;
}

type Place = readonly (string | number)[];

/** The paths to all members and elements. */
function placesOf(tree: Tree, here: Place = []): Place[] {
  const inside: [string | number, Tree][] = isList(tree)
    ? [...tree.entries()]
    : isObject(tree)
      ? Object.entries(tree)
      : [];
  return inside.flatMap(([name, value]) => [[...here, name], ...placesOf(value, [...here, name])]);
}

function at(tree: Tree, [name, ...rest]: Place, one: Spoil): Tree {
  if (name === undefined) return one.value;
  if (isList(tree)) {
    const list = [...tree];
    const position = Number(name);
    if (rest.length > 0) list[position] = at(list[position] ?? null, rest, one);
    else list.splice(position, one.how === 'add' ? 0 : 1, ...(one.how === 'remove' ? [] : [one.value]));
    return list;
  }
  if (!isObject(tree)) return one.value;
  const { [name]: value = null, ...others } = tree;
  if (rest.length > 0) return { ...others, [name]: at(value, rest, one) };
  switch (one.how) {
    case 'replace':
      return { ...others, [name]: one.value };
    case 'remove':
      return others;
    case 'wrap':
      return { ...others, [name]: [value] };
    case 'add':
      return member(tree, one.name, one.value);
    case 'rename':
      return member(others, one.name, value);
  }
}

/** Adds a member, even if its name is `__proto__`. */
function member(tree: { readonly [name: string]: Tree }, name: string, value: Tree): Tree {
  return Object.fromEntries([...Object.entries(tree), [name, value]]) as Tree;
}
