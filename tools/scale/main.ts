import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type pg from 'pg';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { createCleanups, type Cleanups } from '../../scripts/embedded/cleanup.js';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { createShutdown } from '../../scripts/embedded/shutdown.js';
import { StartupError } from '../../scripts/embedded/startupError.js';
import { createTerminal, type Terminal } from '../../scripts/embedded/terminal.js';
import { createDeployment } from './deployment.js';
import { judge, type ComparedStatement } from './growth.js';
import { isPlanned, Planner, type PlannedStatement } from './plans.js';
import { readStatements, type RecordedStatement } from './recordedStatements.js';

/** Number of contents of the larger deployment. The smaller one has a tenth. */
const maxContents = 1_000_000;
const tenthContents = 100_000;

/** PostgreSQL: undefined_table. */
const missingTable = '42P01';

const serverSettings = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '1GB',
  autovacuum: 'off',
  shared_buffers: '1GB',
  maintenance_work_mem: '1GB',
};

/**
 * `npm run scale [-- --tenth] [-- --statements <folder>]`: compares the plans of all statements of the service in a deployment with
 * generated rows and in one with ten times as many. The statements are read from a folder that `TEST_STATEMENTS` named during a
 * test run; without `--statements`, the tests run first. Resolves with the exit code.
 */
async function runScale(parameters: string[], terminal: Terminal, cleanups: Cleanups): Promise<number> {
  const { values } = parseArgs({
    args: parameters,
    options: { tenth: { type: 'boolean', default: false }, statements: { type: 'string' } },
  });
  const statements = await readStatements(values.statements ?? (await recordStatements(terminal, cleanups)));
  if (statements.length === 0) throw new StartupError('No statements were recorded.');
  terminal.say(`${statements.length.toLocaleString('en-US')} statements.`);
  const database = await startTestDatabase(serverSettings);
  cleanups.add(() => database.stop());
  const contents = values.tenth ? tenthContents : maxContents;
  const planAll = async (count: number): Promise<Plans> => {
    const progress = terminal.progress(`${count.toLocaleString('en-US')} contents`);
    const deployment = await createDeployment(database.url, count, progress.show);
    progress.end();
    terminal.say(`${count.toLocaleString('en-US')} contents: ${(deployment.bytes / 1e9).toFixed(1)} GB.`);
    const plans = await planStatements(statements, deployment.client, terminal);
    await deployment.remove();
    return plans;
  };
  const small = await planAll(contents / 10);
  return report(compare(small, await planAll(contents)), contents, terminal);
}

/** Runs the tests that use the whole service. Resolves with the folder of their statements. */
async function recordStatements(terminal: Terminal, cleanups: Cleanups): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-statements-'));
  cleanups.add(() => rm(folder, { recursive: true, force: true }));
  terminal.say('Recording the statements of the tests ...');
  const child = withErrorListener(
    spawn(process.execPath, ['scripts/bootstrap.cjs', 'test', 'test/integration'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: { ...process.env, TEST_STATEMENTS: folder },
    }),
  );
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new StartupError('The tests have failed: run npm test.');
  return folder;
}

type Plans = ReadonlyMap<RecordedStatement, PlannedStatement>;

async function planStatements(
  statements: readonly RecordedStatement[],
  client: pg.Client,
  terminal: Terminal,
): Promise<Plans> {
  const planner = new Planner(client);
  const plans = new Map<RecordedStatement, PlannedStatement>();
  let withoutTable = 0;
  for (const statement of statements.filter(isPlanned)) {
    try {
      plans.set(statement, await planner.plan(statement));
    } catch (error) {
      if ((error as pg.DatabaseError).code === missingTable) withoutTable += 1;
      else terminal.say(`${statement.from}: ${(error as Error).message}`);
    }
  }
  terminal.say(`${withoutTable} statements skipped: their tables belong to tests, or to index rebuilds.`);
  return plans;
}

function compare(smaller: Plans, larger: Plans): ComparedStatement[] {
  return [...larger].flatMap(([statement, large]) => {
    const small = smaller.get(statement);
    return small ? [{ statement, small, large }] : [];
  });
}

function report(compared: readonly ComparedStatement[], contents: number, terminal: Terminal): number {
  const { faults, known, unused } = judge(compared);
  for (const { statement, small, large, fault } of faults) {
    terminal.print(`\n${statement.from} ${fault}: ${Math.round(small.cost)} -> ${Math.round(large.cost)}`);
    terminal.print(`  ${statement.text.replace(/\s+/g, ' ').slice(0, 400)}`);
    for (const line of [...small.steps, 'with ten times the rows:', ...large.steps]) terminal.print(`    ${line}`);
  }
  // Some statements grow only above a tenth of the rows.
  for (const one of contents === maxContents ? unused : [])
    terminal.print(`\ntools/scale/exceptions.ts contains an unused exception: ${one}`);
  terminal.print(`\n${compared.length} statements explained: ${faults.length} with a fault, ${known} known.`);
  return faults.length > 0 ? 1 : 0;
}

const terminal = createTerminal(process.stdout, 'scale');
const shutdown = createShutdown(terminal.say);
const cleanups = createCleanups();
shutdown.add(() => cleanups.run());
try {
  shutdown.begin('Done.', await runScale(process.argv.slice(2), terminal, cleanups));
} catch (error) {
  await shutdown.fail(error);
}
