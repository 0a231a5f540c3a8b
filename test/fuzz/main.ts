import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { openContext } from '../../shared/openContext.js';
import { readConfig } from '../../shared/settings.js';
import { createCleanups, type Cleanups } from '../../scripts/embedded/cleanup.js';
import { createDeploymentContext } from '../../tools/bench/benchContext.js';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { freePort } from '../support/deployment.js';
import { findMediaTools } from '../../scripts/embedded/mediaTools.js';
import { StartupError } from '../../scripts/embedded/startupError.js';
import { createShutdown } from '../../scripts/embedded/shutdown.js';
import { createTerminal, type Terminal } from '../../scripts/embedded/terminal.js';
import { fuzz, type FuzzReport } from './fuzz.js';
import { fuzzSettings } from './fuzzSettings.js';
import type { Target } from './publisher.js';

/** The number of requests of each operation. */
const usualCases = 200;

interface FuzzCommand {
  readonly seed: number;
  readonly cases: number;
  readonly only: string;
}

/** `npm run fuzz [-- [--seed n] [--cases n] [--only text]]` */
function readCommand(parameters: readonly string[]): FuzzCommand {
  const { values } = parseArgs({
    args: [...parameters],
    options: { seed: { type: 'string' }, cases: { type: 'string' }, only: { type: 'string' } },
  });
  const whole = (name: 'seed' | 'cases', usual: number): number => {
    const given = Number(values[name] ?? usual);
    if (!Number.isSafeInteger(given) || given < 0) throw new StartupError(`--${name} takes a whole number.`);
    return given;
  };
  return { seed: whole('seed', randomInt(2 ** 31)), cases: whole('cases', usualCases), only: values.only ?? '' };
}

/** Starts the built web process on its own database, and a worker that updates the search index and extends the cast playout. */
async function startTarget(terminal: Terminal, cleanups: Cleanups): Promise<Target> {
  const tools = await findMediaTools(process.env, terminal.say);
  const database = await startTestDatabase();
  cleanups.add(() => database.stop());
  const deployment = createDeploymentContext({ tools, cleanups, databaseUrl: database.url });
  const settings = await deployment.settings({
    PORT: String(await freePort()),
    WORKER_QUEUES: 'search-sync,daily-programming',
    ...fuzzSettings,
  });
  const ctx = await openContext(readConfig('script', settings));
  cleanups.add(() => ctx.close());
  await deployment.start('api/main.js', settings);
  await deployment.start('workers/main.js', settings);
  return { url: ctx.config.service.publicUrl, ctx };
}

/** Resolves with the exit code: 1 if there are findings. */
async function main(parameters: readonly string[], terminal: Terminal, cleanups: Cleanups): Promise<number> {
  const command = readCommand(parameters);
  const target = await startTarget(terminal, cleanups);
  terminal.say(`Seed ${command.seed}: repeat with --seed ${command.seed}.`);
  const progress = terminal.progress('fuzz');
  const report = await fuzz(target, { ...command, onProgress: (percent) => progress.show(percent) });
  progress.end();
  terminal.print(reportOf(report));
  return report.findings.length > 0 ? 1 : 0;
}

/** The report that `npm run fuzz` prints: statuses by operation, then the findings. */
function reportOf({ findings, statuses }: FuzzReport): string {
  const rows = Object.entries(statuses).map(([operation, counts]) => {
    const all = Object.entries(counts).map(([status, count]) => `${status}: ${count}`);
    return `  ${operation.padEnd(66)} ${all.join(', ')}`;
  });
  const requests = Object.values(statuses).flatMap((counts) => Object.values(counts));
  const total = requests.reduce((sum, count) => sum + count, 0);
  const found = findings.map(({ operation, fault, curl }) => `\n${operation}: ${fault}\n  ${curl}`);
  const summary =
    findings.length === 0
      ? 'No status of 500 or above, and every response matches its description.'
      : `${findings.length} operations with wrong responses:`;
  return [...rows, '', `${total} requests to ${rows.length} operations. ${summary}`, ...found].join('\n');
}

const terminal = createTerminal(process.stdout, 'fuzz');
const shutdown = createShutdown(terminal.say);
const cleanups = createCleanups();
shutdown.add(() => cleanups.run());
try {
  const code = await main(process.argv.slice(2), terminal, cleanups);
  shutdown.begin('Done.', code);
} catch (error) {
  await shutdown.fail(error);
}
