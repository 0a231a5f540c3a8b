import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { API, type Project } from 'typescript/unstable/sync';
import { boxIndex } from '../../shared/box/box.index.js';
import { models } from '../../shared/models.js';
import { openDatabase } from '../../shared/platform/database/openDatabase.js';
import { createTable, nextTableOf, prepareTable } from '../../shared/platform/search/postgres/tables.js';
import { createTestDatabase } from '../support/database.js';
import { checkStatements, type Presence } from './statements/check.js';
import { Describer } from './statements/describe.js';
import type { Sample } from './statements/evaluation.js';
import { findStatements, tableOfPlainRead, type Found } from './statements/find.js';
import { lineOf, planted, plantedSource } from './statements/planted.js';
import { Sources } from './statements/sources.js';

/** Three levels up from dist/test/contract. */
const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
/** The files that declare the methods that run statements. */
const interfaceFiles = ['database', 'sql'].map((name) => join(root, `shared/platform/database/${name}.ts`));
const searchTables = 'shared/platform/search/postgres/';

/** Texts that are known only at run time, with a sample of each. */
const samples: readonly (Sample & { readonly reason: string })[] = [
  { path: searchTables, expression: 'index.name', text: 'box', reason: 'each index has a table of its own' },
  {
    path: `${searchTables}ownMarks.ts`,
    expression: 'owner.ids',
    text: 'SELECT id FROM box_items WHERE owner_id = $ownerId',
    reason: 'each index names the documents of an owner',
  },
  {
    path: `${searchTables}pruneVocabulary.ts`,
    expression: "['true', ...isUnused].join(' AND ')",
    text: 'NOT EXISTS (SELECT FROM "search_documents_box" WHERE words @@ candidate.query::tsquery AND true)',
    reason: 'one condition for each index',
  },
];

interface Exception {
  readonly file: string;
  /** The unknown part of the statement's text. */
  readonly expression: string;
}

/** Statements that are not checked. */
const exceptions: readonly (Exception & { readonly reason: string })[] = [
  { file: `${searchTables}searchDocuments.ts`, expression: 'condition', reason: 'built from a caller’s search' },
  {
    file: `${searchTables}tables.ts`,
    expression: "missing.map((one) => `ADD COLUMN ${columnSql(one)}`).join(', ')",
    reason: 'the columns of an index that its table lacks',
  },
  { file: `${searchTables}tables.ts`, expression: "columns.join('')", reason: 'the columns of an index' },
  {
    file: `${searchTables}tables.ts`,
    expression: 'list.map((member) => `"${member}"`).join(\', \')',
    reason: 'the columns of an index',
  },
];

/** Files whose statements are plain reads only for some parameter values. */
const plainReads: readonly { readonly file: string; readonly reason: string }[] = [
  { file: 'shared/live/event.queries.ts', reason: 'the same columns are read with other conditions and joins' },
  { file: `${searchTables}vocabulary.ts`, reason: 'the search is a library, whose database has no models' },
];

/** Nullable columns that are not null in the rows that a file reads, for a reason outside the statement. */
const presenceReasons: Readonly<Record<string, readonly (readonly [file: string, column: string])[]>> = {
  'a stream loses its path when its item is deleted': [
    ['shared/cast/castStream.queries.ts', 'live_streams.path'],
    ['shared/cast/castChannel.queries.ts', 'live_streams.path'],
    ['shared/live/liveChannel.queries.ts', 'live_streams.path'],
  ],
  'the runs of a stream end when it loses its path': [
    ['shared/streaming/offeredRun.lifecycle.ts', 'live_streams.path'],
  ],
  'a pulled run has one until it has ended': [['shared/streaming/offeredRun.lifecycle.ts', 'live_runs.server_key']],
  'offered runs are pulled': [['shared/streaming/offeredRun.lifecycle.ts', 'live_runs.pull_url']],
  'it is set with ready_grid': [['shared/cast/timetable.queries.ts', 'contents.ready_generation']],
  'a user’s posting belongs to a sale': [
    ['shared/ledger/earnings.queries.ts', 'ledger_postings.item_kind'],
    ['shared/ledger/earnings.queries.ts', 'ledger_postings.item_id'],
    ['shared/ledger/earnings.queries.ts', 'ledger_postings.title'],
  ],
  'the statement inserts it': [['shared/ledger/posting.ts', 'ledger_transactions.reverses']],
  'it is set and cleared with lease_until': [['shared/platform/search/rebuildLease.ts', 'search_builds.lease_owner']],
};
const presences: readonly Presence[] = Object.values(presenceReasons).flatMap((columns) =>
  columns.map(([file, column]) => ({ file, column })),
);

const parts = ['api', 'workers', 'shared'];

describe('SQL statements', () => {
  let folder: string;
  let compiler: API;
  let project: Project;
  let server: Describer;
  let close: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(root, 'dist', 'planted-'));
    const config = {
      extends: join(root, 'tsconfig.json'),
      files: ['planted.ts'],
      include: parts.map((part) => join(root, part)),
      compilerOptions: { rootDir: root, noEmit: true },
    };
    const tsconfig = join(folder, 'tsconfig.json');
    await writeFile(tsconfig, JSON.stringify(config));
    await writeFile(join(folder, 'planted.ts'), plantedSource(join(root, 'shared/platform/database/database.js')));
    compiler = new API({ cwd: root });
    const opened = compiler.updateSnapshot({ openProjects: [tsconfig] }).getProject(tsconfig);
    if (!opened) throw new Error(`the compiler has not opened ${tsconfig}`);
    project = opened;
    const database = await createTestDatabase();
    ({ close } = database);
    const db = openDatabase({ url: database.url, poolSize: 1, models: [] });
    await prepareTable(db, boxIndex);
    await createTable(db, boxIndex, nextTableOf(boxIndex.name));
    await db.close();
    server = await Describer.connect(database.url);
  });

  after(async () => {
    await server?.close();
    await close?.();
    compiler?.close();
    await rm(folder, { recursive: true });
  });

  describe('of api, workers and shared', () => {
    let sources: Sources;
    let found: Found;

    before(() => {
      sources = new Sources(project, root, (file) => parts.some((part) => file.startsWith(`${part}/`)));
      found = findStatements(sources, interfaceFiles, samples);
    });

    it('are known at compile time, with few exceptions', () => {
      expect(found.callCount).to.be.greaterThan(300);
      const isSame = (one: Exception, other: Exception): boolean =>
        one.file === other.file && one.expression === other.expression;
      const unlisted = found.obstacles.filter((obstacle) => !exceptions.some((one) => isSame(one, obstacle)));
      expect(
        unlisted.map(({ place, expression }) => `${place}: ${expression} is known only at run time`),
      ).to.deep.equal([]);
      const unneeded = exceptions.filter((exception) => !found.obstacles.some((one) => isSame(one, exception)));
      expect(unneeded, 'unused exceptions').to.deep.equal([]);
      expect(found.unusedSamples, 'unused samples').to.deep.equal([]);
    });

    it('are not plain reads of one table, which models do', () => {
      const tables = new Set(models.map(({ tableName }) => tableName));
      const plain = found.statements.filter(({ sql }) => tables.has(tableOfPlainRead(sql) ?? ''));
      const files = new Set(plain.map(({ call }) => sources.fileOf(call)));
      const unlisted = plain.filter(({ call }) => !plainReads.some(({ file }) => file === sources.fileOf(call)));
      expect(unlisted.map(({ place }) => place)).to.deep.equal([]);
      expect(
        plainReads.filter(({ file }) => !files.has(file)),
        'unused exceptions',
      ).to.deep.equal([]);
    });

    it('have the columns and binds that their types declare', async () => {
      const { faults, unusedPresences } = await checkStatements(sources, found.statements, server, presences);
      expect(faults.join('\n')).to.equal('');
      expect(unusedPresences, 'unused presences').to.deep.equal([]);
    });
  });

  describe('with a planted fault', () => {
    let reported: readonly string[];

    before(async () => {
      const sources = new Sources(project, root, (file) => file.endsWith('/planted.ts'));
      const { statements, obstacles } = findStatements(sources, interfaceFiles, []);
      const { faults } = await checkStatements(sources, statements, server);
      reported = [...faults, ...obstacles.map(({ place, expression }) => `${place}: ${expression} is not known`)];
    });

    for (const [position, { title, expected }] of planted.entries())
      it(`report ${title}`, () => {
        const place = new RegExp(`^[^ ]*/planted\\.ts:${lineOf(position)}(?:, called at [^ ]+)?: `);
        const own = reported.filter((fault) => place.test(fault)).map((fault) => fault.replace(place, ''));
        expect(own).to.deep.equal(expected === '' ? [] : [expected]);
      });
  });
});
