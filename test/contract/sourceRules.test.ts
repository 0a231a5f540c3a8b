import { readdirSync } from 'node:fs';
import { basename, posix } from 'node:path';
import { expect } from 'chai';
import { schemaHead } from '../../shared/platform/database/schemaState.js';
import { projectFile, readSource, sourcesBelow } from '../support/projectFile.js';

const folders = ['api', 'workers', 'shared', 'scripts', 'tools', 'client'];

/** The first two are entry files of many folders. Operators call `dist/scripts/plan.js`. */
const fixedNames: ReadonlySet<string> = new Set(['index.ts', 'main.ts', 'plan.ts']);

/** Nonstandard words. Use notify, report or listener; audio track; rendition; replace; renewal. */
const privateWord =
  /^(?:tell|tells|told|teller|hear|hears|heard|rungs?|supersedes?|superseded|superseding|keepers?|wish|wishes)$/;

/** Parts of longer names. Use `audioTrackName` for `soundName` and `maxRows` for `mostRows`. */
const privatePart = /^(?:sounds?|stills)$/;

const privatePrefix = /^(?:most|least|longest)[A-Z]/;

/** The identifiers of a source that contain a nonstandard word. Comments and strings are ignored. */
function privateNames(source: string): string[] {
  const code = source.replace(/\/\*[^]*?\*\/|\/\/.*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[^]|[^`\\])*`/g, ' ');
  return [...new Set(code.match(/[A-Za-z_$][\w$]*/g) ?? [])].filter((name) => {
    const words = name.split(/(?<=[a-z\d])(?=[A-Z])|_/).map((word) => word.toLowerCase());
    if (words.some((word) => privateWord.test(word)) || privatePrefix.test(name)) return true;
    return words.length > 1 && words.some((word) => privatePart.test(word));
  });
}

/** Names that several files export, each with its reason. */
const permitted: Readonly<Record<string, string>> = {};

/** The distinct exported names of a source file. A model and the type of its rows share one name. */
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
  it('are unique in the service, its commands and tools', () => {
    const files = folders.filter((folder) => folder !== 'client').flatMap((folder) => sourcesBelow(folder));
    expect(files).to.have.length.above(500);
    const found = exportedTwice(new Map(files.map((file) => [file, readSource(file)])));
    expect(
      Object.keys(found)
        .filter((name) => !(name in permitted))
        .map((name) => [name, found[name]]),
    ).to.deep.equal([]);
    expect(
      Object.keys(permitted).filter((name) => !(name in found)),
      'unused exceptions',
    ).to.deep.equal([]);
  });

  it('are reported if they exist twice, for every kind of declaration', () => {
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

describe('base names of files', () => {
  it('are unique, so that a file finder leads to one place', () => {
    const files = new Map<string, string[]>();
    for (const file of folders.flatMap((folder) => sourcesBelow(folder, /\.[cm]?[jt]s$/))) {
      const name = basename(file);
      if (!fixedNames.has(name)) files.set(name, [...(files.get(name) ?? []), file]);
    }
    expect(files.size).to.be.above(1_000);
    expect([...files.values()].filter((found) => found.length > 1)).to.deep.equal([]);
  });
});

describe('the words of identifiers', () => {
  it('are standard terms', () => {
    const files = [...folders, 'test/support'].flatMap((folder) => sourcesBelow(folder, /\.[cm]?[jt]s$/));
    const found = files.flatMap((file) => privateNames(readSource(file)).map((name) => `${file}: ${name}`));
    expect(found).to.deep.equal([]);
  });

  it('are reported at any position in a name if they are nonstandard', () => {
    const names = [
      'tellAll',
      'isTold',
      'TypeTeller',
      'superseded',
      'copiedRung',
      'SOUND_NAME',
      'soundName',
      'mostRows',
    ];
    expect(privateNames(names.map((name) => `const ${name} = 1;`).join('\n'))).to.deep.equal(names);
    const others = "intelligence atMost least soundtrack /* told */ 'teller' // rung";
    expect(privateNames(others)).to.deep.equal([]);
  });
});

const platform = 'shared/platform';

/** Every folder of `shared` except the platform is a domain. */
const domains = readdirSync(projectFile('shared'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'platform')
  .map(({ name }) => name);

/** The types, classes and models that a source file exports. */
function typesOf(source: string): string[] {
  const declared = /^export (?:abstract )?(?:const|class|interface|type) ([A-Z]\w+)/gm;
  return [...source.matchAll(declared)].map(([, name = '']) => name);
}

const typesBelow = (folder: string): string[] => sourcesBelow(folder).flatMap((file) => typesOf(readSource(file)));
const platformTypes = new Set(typesBelow(platform));

const domainTypes = new Set(
  domains.flatMap((domain) => typesBelow(`shared/${domain}`)).filter((name) => !platformTypes.has(name)),
);

/** Domain terms. `user` and `content` are excluded, because they have other meanings: a login's user, a file's content. */
const domainWord =
  /vod|bundle|marketplace|licen[cs]e|payment|purchase|playback|ledger|oauth|\bbox(?:es)?\b|entitlement|subscription|thumbnail|content(?:Id|Urn)|user(?:Id|Code)/gi;

/** Names of the platform that contain a domain term, with the reason. */
const permittedWords: Readonly<Record<string, string>> = {
  PaymentRequiredError: 'named after status 402, Payment Required',
  [schemaHead]: 'the name of the newest migration',
  'payment-verification': 'the list of queues, which processes choose from by WORKER_QUEUES',
};

/** The distinct domain names in a file of the platform. */
function breachesOf(file: string, source: string): string[] {
  const code = Object.keys(permittedWords).reduce((text, name) => text.replaceAll(name, ''), source);
  const plain = code.replaceAll(/^\s*\/\*[^]*?\*\//gm, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
  const imported = [...code.matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g)]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => !path.startsWith(`${platform}/`));
  const named = [...plain.replaceAll(/'[^'\n]*'/g, '').matchAll(/\b[A-Za-z]\w+/g)]
    .map(([name]) => name)
    .filter((name) => domainTypes.has(name));
  const words = [...code.replaceAll(/docs\/contract\.md#[\w-]+/g, '').matchAll(domainWord)].map(([word]) => word);
  return [...new Set([...imported, ...named, ...words])];
}

describe('shared/platform', () => {
  it('uses no folder, type or name of a domain', () => {
    const breaches = sourcesBelow(platform)
      .filter((file) => !file.endsWith('.messages.ts'))
      .flatMap((file) => breachesOf(file, readSource(file)).map((breach) => `${file}: ${breach}`));
    expect(breaches).to.deep.equal([]);
  });

  const planted: readonly (readonly [title: string, source: string, breach: string])[] = [
    ['an import of a domain', "import type { Row } from '../../vod/vod.model.js';", 'shared/vod/vod.model.js'],
    ['a type of a domain', 'export interface Context { readonly kind: PurchaseKind }', 'PurchaseKind'],
    ['a search definition', "const index = { name: 'vod', fields: [] };", 'vod'],
    ['a setting of a domain', 'readonly playback: { readonly keys: readonly string[] };', 'playback'],
  ];
  for (const [title, source, breach] of planted)
    it(`is reported for ${title}`, () =>
      expect(breachesOf(`${platform}/search/planted.ts`, source)).to.include(breach));
});

const patterns: readonly RegExp[] = [
  /\bdb\s*\.\s*(rows|change|model|sequelize)\b/g,
  /['"`]\s*(SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s/g,
];

/** Every database access in a source file except the start of a transaction. */
function databaseUses(source: string): string[] {
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([use]) => use));
}

describe('workers', () => {
  it('contain no SQL and use no model, because services in shared access the rows', () => {
    const files = sourcesBelow('workers');
    expect(files).to.not.be.empty;
    const found = files.flatMap((file) => databaseUses(readSource(file)).map((use) => `${file}: ${use}`));
    expect(found).to.deep.equal([]);
  });

  for (const planted of [
    'await ctx.db.rows(statement);',
    'await ctx.db\n    .change(statement, binds, tx);',
    'await ctx.db.model(Content).findByPk(id);',
    'await run(`\n  SELECT id FROM contents`);',
    "const statement = 'UPDATE contents SET state = 1';",
  ])
    it(`are checked against database access: ${planted.replaceAll(/\s+/g, ' ')}`, () =>
      expect(databaseUses(planted)).to.have.length(1));

  it('may start a transaction', () =>
    expect(databaseUses('return ctx.db.transaction(async (tx) => planContent(ctx, tx, content));')).to.deep.equal([]));
});
