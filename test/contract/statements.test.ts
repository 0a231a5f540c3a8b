import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { API, type Snapshot } from 'typescript/unstable/sync';
import { boxIndex } from '../../shared/box/box.index.js';
import { openDatabase } from '../../shared/platform/database/database.js';
import { createTable, nextTableOf, prepareTable } from '../../shared/platform/search/postgres/tables.js';
import { createTestDatabase } from '../support/database.js';
import { checkStatements, type Presence } from '../support/statements/check.js';
import { Describer } from '../support/statements/describe.js';
import type { Sample } from '../support/statements/evaluation.js';
import { findStatements, type Found } from '../support/statements/find.js';
import { Sources } from '../support/statements/project.js';
import { planted, plantedSource } from '../support/statements/planted.js';

/** Three levels up from dist/test/contract. */
const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const databaseFile = join(root, 'shared/platform/database/database.ts');
const searchTables = 'shared/platform/search/postgres/';

/** Texts that are known at run time only, and one that stands for each. */
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

/** Statements that are not compared. */
const exceptions: readonly { readonly file: string; readonly expression: string; readonly reason: string }[] = [
  { file: `${searchTables}search.ts`, expression: 'condition', reason: 'built from the search of a caller' },
  {
    file: `${searchTables}tables.ts`,
    expression: "missing.map((one) => `ADD COLUMN ${columnSql(one)}`).join(', ')",
    reason: 'the columns that an index has more than its table',
  },
  { file: `${searchTables}tables.ts`, expression: "columns.join('')", reason: 'the columns of an index' },
  { file: `${searchTables}tables.ts`, expression: "[...names, 'id'].join(', ')", reason: 'the columns of an index' },
];

/** Nullable columns that have a value in the rows that a file reads, for a reason that the statement does not show. */
const presences: readonly (Presence & { readonly reason: string })[] = [
  {
    file: 'shared/cast/castStream.queries.ts',
    column: 'live_streams.path',
    reason: 'a stream loses its path when its item is deleted',
  },
  {
    file: 'shared/cast/channel.queries.ts',
    column: 'live_streams.path',
    reason: 'a stream loses its path when its item is deleted',
  },
  {
    file: 'shared/live/channel.queries.ts',
    column: 'live_streams.path',
    reason: 'a stream loses its path when its item is deleted',
  },
  {
    file: 'shared/streaming/offeredRun.lifecycle.ts',
    column: 'live_streams.path',
    reason: 'the runs of a stream end when it loses its path',
  },
  {
    file: 'shared/streaming/offeredRun.lifecycle.ts',
    column: 'live_runs.server_key',
    reason: 'a run that is pulled has one until it has ended',
  },
  {
    file: 'shared/streaming/offeredRun.lifecycle.ts',
    column: 'live_runs.pull_url',
    reason: 'what is offered is pulled',
  },
  {
    file: 'shared/streaming/reportedRun.lifecycle.ts',
    column: 'live_runs.opened_at',
    reason: 'an open run was opened',
  },
  {
    file: 'shared/cast/timetable.queries.ts',
    column: 'contents.ready_generation',
    reason: 'it is set with ready_grid',
  },
  {
    file: 'shared/ledger/earnings.queries.ts',
    column: 'ledger_postings.item_kind',
    reason: 'a posting of a user is of a sale',
  },
  {
    file: 'shared/ledger/earnings.queries.ts',
    column: 'ledger_postings.item_id',
    reason: 'a posting of a user is of a sale',
  },
  {
    file: 'shared/ledger/earnings.queries.ts',
    column: 'ledger_postings.title',
    reason: 'a posting of a user is of a sale',
  },
  { file: 'shared/ledger/posting.ts', column: 'ledger_transactions.reverses', reason: 'the statement inserts it' },
  {
    file: 'shared/payment/payment.queries.ts',
    column: 'payments.fulfilled_at',
    reason: 'a payment has it when it is FULFILLED',
  },
  {
    file: 'shared/platform/search/rebuildLease.ts',
    column: 'search_builds.rebuild_id',
    reason: 'it is set and cleared with rebuilding_until',
  },
];

describe('SQL statements', () => {
  let compiler: API;
  let snapshot: Snapshot;
  let server: Describer;
  let folder: string;
  let drop: () => Promise<void>;

  before(async () => {
    folder = await mkdtemp(join(root, 'dist', 'planted-'));
    const config = {
      extends: join(root, 'tsconfig.json'),
      files: ['planted.ts'],
      compilerOptions: { rootDir: root, noEmit: true },
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await writeFile(join(folder, 'planted.ts'), plantedSource(databaseFile.replace(/\.ts$/, '.js')));
    compiler = new API({ cwd: root });
    snapshot = compiler.updateSnapshot({ openProjects: [join(root, 'tsconfig.json'), join(folder, 'tsconfig.json')] });
    const database = await createTestDatabase();
    ({ drop } = database);
    const db = openDatabase({ url: database.url, poolSize: 1, models: [] });
    await prepareTable(db, boxIndex);
    await createTable(db, boxIndex, nextTableOf(boxIndex.name));
    await db.close();
    server = await Describer.connect(database.url);
  });

  after(async () => {
    await server?.close();
    await drop?.();
    compiler?.close();
    await rm(folder, { recursive: true });
  });

  const sourcesOf = (tsconfig: string, isRead: (file: string) => boolean): Sources => {
    const project = snapshot.getProject(tsconfig);
    if (!project) throw new Error(`the compiler has not opened ${tsconfig}`);
    return new Sources(project, root, isRead);
  };

  describe('of api, workers and shared', () => {
    let sources: Sources;
    let found: Found;

    before(() => {
      sources = sourcesOf(join(root, 'tsconfig.json'), (file) => /^(api|workers|shared)\//.test(file));
      found = findStatements(sources, databaseFile, samples);
    });

    it('are known without running the service, with few exceptions', () => {
      expect(found.callCount).to.be.greaterThan(300);
      expect(found.statements.length).to.be.greaterThan(found.callCount - exceptions.length - 1);
      const isListed = ({ file, expression }: { readonly file: string; readonly expression: string }): boolean =>
        exceptions.some((exception) => exception.file === file && exception.expression === expression);
      const unlisted = found.obstacles.filter((obstacle) => !isListed(obstacle));
      expect(
        unlisted.map(({ place, expression }) => `${place}: ${expression} is known at run time only`),
      ).to.deep.equal([]);
      const unneeded = exceptions.filter(
        ({ file, expression }) => !found.obstacles.some((one) => one.file === file && one.expression === expression),
      );
      expect(unneeded, 'exceptions that are not needed').to.deep.equal([]);
      expect(found.unusedSamples, 'samples that are not needed').to.deep.equal([]);
    });

    it('have the columns and binds that their types say', async () => {
      const { faults, unusedPresences } = await checkStatements(sources, found.statements, server, presences);
      expect(faults.join('\n')).to.equal('');
      expect(unusedPresences, 'presences that are not needed').to.deep.equal([]);
    });
  });

  describe('with a planted fault', () => {
    let reported: readonly string[];

    before(async () => {
      const sources = sourcesOf(join(folder, 'tsconfig.json'), (file) => file.endsWith('/planted.ts'));
      const { statements, obstacles } = findStatements(sources, databaseFile, []);
      const { faults } = await checkStatements(sources, statements, server);
      reported = [...faults, ...obstacles.map(({ place, expression }) => `${place}: ${expression} is not known`)];
    });

    for (const [position, { title, expected }] of planted.entries())
      it(title, () => {
        const own = reported.filter(
          (fault) => fault.includes(`planted.ts:${position + 2}:`) || fault.includes(`planted.ts:${position + 2},`),
        );
        expect(own.map((fault) => fault.slice(fault.lastIndexOf(`: ${expected}`) + 2))).to.deep.equal(
          expected === '' ? [] : [expected],
        );
      });
  });
});
