import { expect } from 'chai';
import { readSource, sourcesBelow } from '../support/sources.js';

/** Names that several files export, each with its reason. */
const permitted: Readonly<Record<string, string>> = {};

/** What a source file declares and exports, each once: a model and the type of its rows have one name. */
function exportedBy(source: string): string[] {
  const declared =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum|let) ([\w$]+)/gm;
  const renamed = /^export (?:type )?\{([^}]*)\}(?! from)/gm;
  return [
    ...new Set([
      ...[...source.matchAll(declared)].map(([, name = '']) => name),
      ...[...source.matchAll(renamed)].flatMap(([, names = '']) => names.match(/\w+(?=\s*(?:,|$))/g) ?? []),
    ]),
  ];
}

/** The names that more than one of these files exports, with the files. */
function exportedTwice(sources: ReadonlyMap<string, string>): Record<string, string[]> {
  const files = new Map<string, string[]>();
  for (const [file, source] of sources)
    for (const name of exportedBy(source)) files.set(name, [...(files.get(name) ?? []), file]);
  return Object.fromEntries([...files].filter(([, found]) => found.length > 1));
}

describe('exported names', () => {
  it('exist once in api, workers, shared and scripts', () => {
    const files = ['api', 'workers', 'shared', 'scripts'].flatMap((folder) => sourcesBelow(folder));
    expect(files).to.have.length.above(500);
    const found = exportedTwice(new Map(files.map((file) => [file, readSource(file)])));
    expect(
      Object.keys(found)
        .filter((name) => !(name in permitted))
        .map((name) => [name, found[name]]),
    ).to.deep.equal([]);
    expect(
      Object.keys(permitted).filter((name) => !(name in found)),
      'exceptions that nothing needs',
    ).to.deep.equal([]);
  });

  it('that exist twice are found, whatever they are', () => {
    const one = 'export const a = 1;\nexport async function b() {}\nexport class C {}\nconst d = 1;\nexport { d };\n';
    const other =
      'export type a = 1;\nexport function* b() {}\nexport interface C {}\nconst e = 1;\nexport { e as d };\n';
    const again = 'export const Row = 1;\nexport type Row = number;\nexport { a } from "./one.js";\n';
    const found = exportedTwice(
      new Map([
        ['one.ts', one],
        ['other.ts', other],
        ['again.ts', again],
      ]),
    );
    expect(Object.keys(found).toSorted()).to.deep.equal(['C', 'a', 'b', 'd']);
  });
});
