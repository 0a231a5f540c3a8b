import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { models } from '../../shared/models.js';
import { useFixture } from '../support/fixtures.js';
import { readSource, sourcesBelow } from '../support/projectFile.js';

/** Three levels up from dist/test/contract. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The owner of each table: the folder of its model in the imports of `shared/models.ts`. */
async function tableOwners(): Promise<TableOwners> {
  const registry = readSource('shared/models.ts');
  const folders = new Map<string, string>();
  for (const [, names = '', folder = ''] of registry.matchAll(/import \{([^}]+)\} from '\.\/(\w+)\//g))
    for (const [name] of names.matchAll(/\w+/g)) folders.set(name, folder);
  const loaded = await Promise.all(
    [...registry.matchAll(/from '(\.\/[^']+\/(?:index|\w+\.model)\.js)'/g)].map(
      ([, path = '']) => import(pathToFileURL(join(root, 'dist', 'shared', path)).href),
    ),
  );
  const exported = new Map(loaded.flatMap((module: object) => Object.entries(module)));
  const tables = [...folders].map(([model, domain]) => {
    const { tableName } = exported.get(model) as { readonly tableName: string };
    return { model, table: tableName, domain };
  });
  const { levels } = (await import(pathToFileURL(join(root, '.oxlintrc.mjs')).href)) as {
    readonly levels: Readonly<Record<string, number>>;
  };
  return { tables, levels };
}

const worded = ({ domain, verb, table }: Breach): string => `${domain} ${verb} ${table}`;

describe('the table owners', () => {
  const owners = useFixture(tableOwners);

  it('include one for every table', () =>
    expect(owners.tables.map(({ table }) => table)).to.have.members(models.map(({ tableName }) => tableName)));

  it('are the only writers, and with higher domains the only readers, of their tables', async () => {
    const files = ['shared', 'api', 'workers'].flatMap((folder) => sourcesBelow(folder));
    const breaches = files.flatMap((file) => breachesOf(owners, file, readSource(file)));
    expect(breaches.map((breach) => `${breach.file}: ${worded(breach)}`)).to.deep.equal([]);
  });

  const planted: readonly (readonly [title: string, file: string, source: string, breach: string])[] = [
    [
      'an update of a table of another domain',
      'shared/bundle/planted.ts',
      'ctx.db.change(`UPDATE vod_items SET bundle_position = 0`)',
      'bundle writes vod_items',
    ],
    [
      'an insert into a table of a higher domain',
      'shared/vod/planted.ts',
      "ctx.db.change('INSERT INTO entitlements (tracking_id) VALUES ($trackingId)')",
      'vod writes entitlements',
    ],
    [
      'a deletion from a table of another domain',
      'shared/vod/planted.ts',
      'ctx.db.change(`DELETE FROM box_items WHERE id = $id`)',
      'vod writes box_items',
    ],
    [
      'a read of a table of a higher domain',
      'shared/box/planted.ts',
      'ctx.db.rows(`SELECT 1 FROM box_items box WHERE EXISTS (SELECT 1 FROM vod_items)`)',
      'box reads vod_items',
    ],
    [
      'a join with a table of a higher domain',
      'shared/box/planted.ts',
      'ctx.db.rows(`SELECT 1 FROM box_items box LEFT JOIN\n acquired_licenses license ON true`)',
      'box reads acquired_licenses',
    ],
    [
      'a table in a list of tables',
      'shared/box/planted.ts',
      'ctx.db.rows(`SELECT 1 FROM box_items box, vod_items vod WHERE true`)',
      'box reads vod_items',
    ],
    [
      'a statement inside another template',
      'shared/box/planted.ts',
      'const sql = `SELECT id ${isCounted ? `, (SELECT count(*) FROM vod_items)` : ``} FROM box_items`',
      'box reads vod_items',
    ],
    [
      'the name of a table as an argument',
      'shared/box/planted.ts',
      "const ids = idsOfRows('marketplace_items')",
      'box reads marketplace_items',
    ],
    [
      'a model of another domain that is written',
      'shared/bundle/planted.ts',
      'await ctx.db.model(VodItem).create({ id }, { transaction: tx })',
      'bundle writes vod_items',
    ],
    [
      'a model of another domain that is written, on a separate line',
      'shared/bundle/planted.ts',
      'await ctx.db\n  .model(VodItem)\n  .update({ public: true }, { where: { id } })',
      'bundle writes vod_items',
    ],
    ['a statement in a worker', 'workers/mail/planted.ts', "db.rows('SELECT 1 FROM users')", 'workers reads users'],
    ['a statement in the HTTP interface', 'api/vod/planted.ts', "db.rows('SELECT 1 FROM users')", 'api reads users'],
    [
      'a table of a domain in the platform',
      'shared/platform/search/planted.ts',
      "db.rows('SELECT 1 FROM users')",
      'platform reads users',
    ],
  ];

  for (const [title, file, source, breach] of planted)
    it(`are checked against ${title}`, () =>
      expect(breachesOf(owners, file, source).map(worded)).to.deep.equal([breach]));

  it('may use own tables, read lower ones, and name tables in comments and messages', () => {
    const source = `
      // UPDATE contents
      /* DELETE FROM users */
      await ctx.db.rows(\`SELECT 1 FROM vod_items vod JOIN box_items box ON box.id = vod.box_item_id\`);
      await ctx.db.rows('SELECT 1 FROM box_items FOR UPDATE');
      await ctx.db.change('UPDATE vod_items SET public = true WHERE id = $id');
      await ctx.db.model(BoxItem).findByPk(id);
      await ctx.db.model(VodItem).create(values);
      const key = 'users.unknown';
    `;
    expect(breachesOf(owners, 'shared/vod/planted.ts', source)).to.deep.equal([]);
  });
});

/** A table, the name of its model, and the domain that owns both. */
interface OwnedTable {
  readonly table: string;
  readonly model: string;
  readonly domain: string;
}

interface TableOwners {
  readonly tables: readonly OwnedTable[];
  /** The level of each domain, which reads its own tables and those of lower levels. */
  readonly levels: Readonly<Record<string, number>>;
}

interface Breach {
  readonly file: string;
  readonly domain: string;
  readonly verb: 'reads' | 'writes';
  readonly table: string;
}

type Use = Pick<Breach, 'verb' | 'table'>;

/** The distinct table accesses of a source file that its domain may not make. */
function breachesOf(owners: TableOwners, file: string, source: string): Breach[] {
  const domain = domainOf(file);
  const code = withoutComments(source);
  const breaches = [...usesInStatements(owners, code), ...usesOfModels(owners, code)].filter(({ table, verb }) => {
    const owner = owners.tables.find((owned) => owned.table === table)?.domain ?? '';
    return owner !== domain && (verb === 'writes' || levelOf(owners, owner) >= levelOf(owners, domain));
  });
  const distinct = new Map(breaches.map((breach) => [`${breach.verb} ${breach.table}`, breach]));
  return [...distinct.values()].map(({ table, verb }) => ({ file, domain, verb, table }));
}

/** `shared/vod/vod.service.ts` belongs to the domain `vod`; `api`, `workers` and `shared/*.ts` to none and contain no SQL. */
function domainOf(file: string): string {
  const [top = '', folder = ''] = file.split('/');
  return top === 'shared' && !folder.endsWith('.ts') ? folder : top;
}

function levelOf({ levels }: TableOwners, domain: string): number {
  return domain === 'platform' ? 0 : (levels[domain] ?? -1);
}

/** The formatter puts block comments at the start of a line, which distinguishes them from `/*` in a string. */
function withoutComments(source: string): string {
  return source.replaceAll(/^\s*\/\*[^]*?\*\//gm, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
}

const write = /\b(?:INSERT INTO|UPDATE|DELETE FROM|TRUNCATE(?: TABLE)?|MERGE INTO)\s+(?:ONLY\s+)?(\w+)/g;
const read = /(?<!DELETE\s)\b(?:FROM|JOIN|USING|TABLE)\s+(?:ONLY\s+|LATERAL\s+)?(\w+)/g;
/** The rest of a list of tables: `FROM a first, b second`. */
const list = /\bFROM\s+\w+(?:\s+(?:AS\s+)?\w+)?((?:\s*,\s*\w+(?:\s+(?:AS\s+)?[a-z]\w*)?)+)/g;
/** The name of a table as the argument of a function that builds a statement. */
const argument = /\bidsOfRows\(\s*['"`](\w+)['"`]/g;

/** SQL keywords are in capitals in this project, which distinguishes statements from sentences. */
function usesInStatements({ tables }: TableOwners, code: string): Use[] {
  const names = new Set(tables.map(({ table }) => table));
  const found = (pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = '']) => name);
  const listed = found(list).flatMap((rest) => rest.split(',').map((part) => part.trim().split(/\s/)[0] ?? ''));
  return [
    ...found(write).map((table) => ({ verb: 'writes', table }) as const),
    ...[...found(read), ...listed, ...found(argument)].map((table) => ({ verb: 'reads', table }) as const),
  ].filter(({ table }) => names.has(table));
}

/** `db.model(VodItem).create(...)`: find and count methods read, all others write. */
function usesOfModels({ tables }: TableOwners, code: string): Use[] {
  return [...code.matchAll(/\.model\((\w+)\)(?:\s*\.\s*(\w+))?/g)].flatMap(([, name, method = '']) => {
    const table = tables.find(({ model }) => model === name)?.table;
    if (table === undefined) return [];
    return [{ table, verb: /^(find(All|One|ByPk)|count|sum|max|min)$/.test(method) ? 'reads' : 'writes' } as const];
  });
}
