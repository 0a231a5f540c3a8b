import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../shared/platform/errorListener.js';
import { startTestDatabase } from '../scripts/embedded/embeddedDatabase.js';
import { findMediaTools } from '../scripts/embedded/mediaTools.js';
import { killGroup } from '../scripts/embedded/processes.js';
import { exitWithError } from '../scripts/embedded/startupError.js';
import { whenNpmHasEnded } from '../scripts/embedded/shutdown.js';
import { isTestSource, testFilesOf } from './testFiles.js';
import type { TestReport } from './testReporter.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const memoryFolder = '/dev/shm';
/** Several times what a run takes. */
const neededBytes = 1024 ** 3;

/** What a run of the tests came to. */
interface Outcome extends TestReport {
  readonly code: number;
}

/** Of `TEST_REPEAT_FAILED`: more files that fail are no accident of a busy machine. */
const maxRepeatedFiles = 3;

/**
 * One mocha process, in a process group of its own: at its end whatever a test has left running is ended with the
 * group. It may share the files between several worker processes.
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
        // MiB. Most objects of a test are short-lived: with the usual 16 a tenth of the time is garbage collection.
        '--max-semi-space-size=64',
        '--import',
        beside('../scripts/embedded/stopWithParent.js'),
        mocha,
        ...['--reporter', beside('testReporter.js'), '--require', 'dist/test/support/rootHooks.js'],
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
  let report: TestReport = { passes: 0, failures: 0, pending: 0, failed: [], skipped: {} };
  child.on('message', (message) => (report = message as TestReport));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  killGroup(child);
  return { ...report, code: signal ? 1 : (code ?? 1) };
}

/** Runs the tests on a PostgreSQL of their own; resolves with the exit code. */
async function runTests(parameters: readonly string[]): Promise<number> {
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
    };
    // Two more than there are processors: some always wait for processes and for times to pass.
    const jobs = Number(process.env['TEST_JOBS'] ?? availableParallelism() + 2);
    const first = await runMocha(files, options, environment, jobs);
    const outcome = await repeatFailed(first, (failed) =>
      runMocha(failed, options, { ...environment, TEST_STATUS_REPORT: 'false' }, 1),
    );
    printCounts(outcome);
    return outcome.code;
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * With `TEST_REPEAT_FAILED=true`, few files in which a test has failed run once more, one after the other with nothing beside
 * them. Where all of it passes then, the run passes, and names what has failed before: such a test depends on the speed of the
 * machine, or shows a fault that is rare. Both are to be mended.
 */
async function repeatFailed(first: Outcome, run: (files: readonly string[]) => Promise<Outcome>): Promise<Outcome> {
  const files = [...new Set(first.failed.map(({ file }) => file))].filter((file) => file !== null);
  const isRepeated = process.env['TEST_REPEAT_FAILED'] === 'true' && first.failed.every(({ file }) => file !== null);
  if (!isRepeated || files.length === 0 || files.length > maxRepeatedFiles) return first;
  const titles = first.failed.map(({ title }) => `\n  ${title}`).join('');
  console.log(`Once more, with nothing beside them: the files of the tests that have failed:${titles}`);
  const second = await run(files);
  if (second.code !== 0) return { ...first, code: second.code, failures: Math.max(second.failures, 1) };
  console.log(`Passed when run again. To be mended:${titles}`);
  return { ...first, code: 0, failures: 0, passes: first.passes + first.failures };
}

/**
 * A folder in memory, where there is one with enough space: databases are created and removed by the hundred. Else the
 * usual one.
 */
async function fastestTemporaryFolder(): Promise<string> {
  const memory = await statfs(memoryFolder).catch(() => null);
  return memory && memory.bavail * memory.bsize >= neededBytes ? memoryFolder : tmpdir();
}

/** What was skipped, a line each; then the counts on a line of their own, for readers that are programs. */
function printCounts({ passes, failures, pending, skipped }: TestReport): void {
  for (const [title, count] of Object.entries(skipped))
    console.log(`Skipped: ${title}${count > 1 ? `, ${count} tests` : ''}`);
  console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
}

try {
  process.exitCode = await runTests(process.argv.slice(2));
} catch (error) {
  exitWithError(error);
}
