import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../shared/platform/errorListener.js';
import { startTestDatabase } from '../scripts/embedded/embeddedDatabase.js';
import { findMediaTools } from '../scripts/embedded/mediaTools.js';
import { killGroup } from '../scripts/embedded/processes.js';
import { exitWithError } from '../scripts/embedded/startupError.js';
import { whenNpmHasEnded } from '../scripts/embedded/shutdown.js';
import { measureSlowness } from './machineSlowness.js';
import { isTestSource, testFilesOf } from './testFiles.js';
import type { TestReport } from './testReporter.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const compiledPath = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const memoryFolder = '/dev/shm';
/** Several times the space that a run needs. */
const neededBytes = 1024 ** 3;

/** Limit of `npm test` without arguments on two idle cores, that is with a slowness of 1. */
const maxSeconds = 290;
/** With one of these variables, a run does more work than the limit allows for. */
const slowVariants = ['TEST_REDIS_URL', 'TEST_MEILI_URL', 'NODE_V8_COVERAGE'];

interface Outcome extends TestReport {
  readonly code: number;
}

/** Maximum number of files that `TEST_REPEAT_FAILED` repeats: a busy machine does not explain more failures. */
const maxRepeatedFiles = 3;

/**
 * Starts one mocha process, which may share the files between several worker processes. It leads a process group: processes
 * that a test left running are killed with the group.
 */
function startMocha(
  files: readonly string[],
  options: readonly string[],
  environment: Record<string, string>,
  jobs: number,
): ChildProcess {
  const isParallel = files.length > 1 && jobs > 1;
  const child = withErrorListener(
    spawn(
      process.execPath,
      [
        '--enable-source-maps',
        // MiB. Most objects of a test are short-lived: with the default of 16, garbage collection takes a tenth of the time.
        '--max-semi-space-size=64',
        '--import',
        compiledPath('../scripts/embedded/stopWithParent.js'),
        mocha,
        ...['--reporter', compiledPath('testReporter.js'), '--require', 'dist/test/support/rootHooks.js'],
        ...(isParallel ? ['--parallel', '--jobs', String(jobs)] : []),
        ...options,
        ...files,
      ],
      {
        cwd: root,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        detached: true,
      },
    ),
  );
  const stop = (): void => {
    child.kill('SIGINT');
    void sleep(5_000, undefined, { ref: false }).then(() => killGroup(child));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  whenNpmHasEnded(stop);
  return child;
}

async function runMocha(...run: Parameters<typeof startMocha>): Promise<Outcome> {
  const child = startMocha(...run);
  let report: TestReport = { passes: 0, failures: 0, pending: 0, failed: [], skipped: {}, fileMs: {} };
  child.on('message', (message) => (report = message as TestReport));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  killGroup(child);
  return { ...report, code: signal ? 1 : (code ?? 1) };
}

/** Starts a PostgreSQL for this run and runs the tests with it. Resolves with the exit code. */
async function runTests(parameters: readonly string[]): Promise<number> {
  const start = performance.now();
  // Two more than there are processors: some files always wait for processes or timers.
  const jobs = Number(process.env['TEST_JOBS'] ?? availableParallelism() + 2);
  const slowness = await measureSlowness(jobs);
  const sources = parameters.filter(isTestSource);
  const options = parameters.filter((parameter) => !isTestSource(parameter));
  const files = testFilesOf(sources, root);
  const tools = await findMediaTools(process.env, (line) => console.log(line));
  const clipFolder = tmpdir();
  process.env['TMPDIR'] = await fastestTemporaryFolder();
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-tests-'));
  const database = await startTestDatabase();
  try {
    const environment = {
      TEST_DATABASE_URL: database.url,
      TEST_RUN_DIR: folder,
      TEST_CLIP_DIR: clipFolder,
      TEST_STATUS_REPORT: String(parameters.length === 0),
      TEST_TABLES: process.env['TEST_TABLES'] ?? (sources.length === 0 ? 'everyRun' : 'whole'),
      FFMPEG_PATH: tools.ffmpegPath,
      FFPROBE_PATH: tools.ffprobePath,
      TEST_SLOWNESS: String(slowness),
    };
    const first = await runMocha(files, options, environment, jobs);
    const seconds = (performance.now() - start) / 1000;
    const outcome = await repeatFailed(first, (failed) =>
      runMocha(failed, options, { ...environment, TEST_STATUS_REPORT: 'false' }, 1),
    );
    printCounts(outcome);
    const isLimited =
      environment.TEST_TABLES === 'everyRun' &&
      parameters.length === 0 &&
      slowVariants.every((name) => process.env[name] === undefined);
    const isTooLong = isLimited && seconds > maxSeconds * slowness;
    if (isTooLong) printSlowFiles(outcome, { seconds, slowness });
    return isTooLong ? Math.max(outcome.code, 1) : outcome.code;
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * With `TEST_REPEAT_FAILED=true`, runs up to three files with a failed test again, alone. If they pass then, the run passes and
 * names the tests that failed: such a test depends on the speed of the machine or shows a rare bug. Both must be fixed.
 */
async function repeatFailed(first: Outcome, run: (files: readonly string[]) => Promise<Outcome>): Promise<Outcome> {
  const files = [...new Set(first.failed.map(({ file }) => file))].filter((file) => file !== null);
  const isRepeated = process.env['TEST_REPEAT_FAILED'] === 'true' && first.failed.every(({ file }) => file !== null);
  if (!isRepeated || files.length === 0 || files.length > maxRepeatedFiles) return first;
  const titles = first.failed.map(({ title }) => `\n  ${title}`).join('');
  console.log(`Running the files of these failed tests again, alone:${titles}`);
  const second = await run(files);
  if (second.code !== 0) return { ...first, code: second.code, failures: Math.max(second.failures, 1) };
  console.log(`Passed when run again. Fix these flaky tests:${titles}`);
  return { ...first, code: 0, failures: 0, passes: first.passes + first.failures };
}

/** A folder in memory if it has enough space, because the tests create and drop hundreds of databases. */
async function fastestTemporaryFolder(): Promise<string> {
  const memory = await statfs(memoryFolder).catch(() => null);
  return memory && memory.bavail * memory.bsize >= neededBytes ? memoryFolder : tmpdir();
}

/** Prints a line for each skipped title, then the counts on one line, which `.ci/run` reads. */
function printCounts({ passes, failures, pending, skipped }: TestReport): void {
  for (const [title, count] of Object.entries(skipped))
    console.log(`Skipped: ${title}${count > 1 ? `, ${count} tests` : ''}`);
  console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
}

function printSlowFiles({ fileMs }: TestReport, { seconds, slowness }: { seconds: number; slowness: number }): void {
  const limit = `${maxSeconds} s on two idle cores`;
  const machine = slowness >= 1.1 ? `; this machine is ${slowness.toFixed(1)} times slower` : '';
  console.log(
    `npm test took ${Math.round(seconds)} s, longer than its limit of ${limit}${machine}. The slowest files:`,
  );
  const slowest = Object.entries(fileMs).toSorted(([, one], [, other]) => other - one);
  for (const [file, ms] of slowest.slice(0, 10)) console.log(`  ${(ms / 1000).toFixed(1)} s ${relative(root, file)}`);
}

try {
  process.exitCode = await runTests(process.argv.slice(2));
} catch (error) {
  exitWithError(error);
}
