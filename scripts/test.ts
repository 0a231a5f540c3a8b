import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestDatabase } from './embedded/database.js';
import { findMediaTools } from './embedded/mediaTools.js';
import { killGroup } from './embedded/processes.js';
import { exitWithError } from './embedded/startupError.js';
import { whenNpmHasEnded } from './embedded/shutdown.js';
import { isTestSource, lanesOf, type TestLane } from './testLanes.js';
import type { TestCounts } from './testReporter.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

const memoryFolder = '/dev/shm';
/** Several times what a run takes. */
const neededBytes = 1024 ** 3;

/** What a run of the tests came to. */
interface Outcome extends TestCounts {
  readonly code: number;
}

/**
 * One mocha process, in a process group of its own: at its end whatever a test has left running is ended with the
 * group. It may share the files between several worker processes.
 */
function startMocha(lane: TestLane, options: readonly string[], environment: Record<string, string>): ChildProcess {
  const isParallel = lane.files.length > 1 && lane.jobs > 1;
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import',
      beside('embedded/stopWithParent.js'),
      mocha,
      ...['--reporter', beside('testReporter.js'), '--require', 'dist/test/support/rootHooks.js'],
      ...(isParallel ? ['--parallel', '--jobs', String(lane.jobs)] : []),
      ...options,
      ...lane.files,
    ],
    {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: true,
    },
  );
  const stop = (): void => {
    child.kill('SIGINT');
    void sleep(5_000, undefined, { ref: false }).then(() => killGroup(child));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  whenNpmHasEnded(stop);
  return child;
}

async function runLane(...lane: Parameters<typeof startMocha>): Promise<Outcome> {
  const child = startMocha(...lane);
  let counts: TestCounts = { passes: 0, failures: 0, pending: 0 };
  child.on('message', (message) => (counts = message as TestCounts));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  killGroup(child);
  return { ...counts, code: signal ? 1 : (code ?? 1) };
}

/** Runs the lanes, one after the other, on a PostgreSQL of their own; resolves with the exit code. */
async function runTests(parameters: readonly string[]): Promise<number> {
  const sources = parameters.filter(isTestSource);
  const options = parameters.filter((parameter) => !isTestSource(parameter));
  const lanes = lanesOf(sources, root);
  const tools = await findMediaTools(process.env, (line) => console.log(line));
  const clipFolder = tmpdir();
  process.env['TMPDIR'] = await fastestTemporaryFolder();
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-tests-'));
  const database = await startTestDatabase();
  const outcomes: Outcome[] = [];
  try {
    for (const lane of lanes) {
      const isLastOfAll = sources.length === 0 && options.length === 0 && lane === lanes.at(-1);
      const environment = {
        TEST_DATABASE_URL: database.url,
        TEST_RUN_DIR: folder,
        TEST_CLIP_DIR: clipFolder,
        TEST_STATUS_REPORT: String(isLastOfAll),
        FFMPEG_PATH: tools.ffmpegPath,
        FFPROBE_PATH: tools.ffprobePath,
      };
      outcomes.push(await runLane(lane, options, environment));
    }
  } finally {
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
  printCounts(outcomes);
  return outcomes.find(({ code }) => code !== 0)?.code ?? 0;
}

/**
 * A folder in memory, where there is one with enough space: databases are created and removed by the hundred. Else the
 * usual one.
 */
async function fastestTemporaryFolder(): Promise<string> {
  const memory = await statfs(memoryFolder).catch(() => null);
  return memory && memory.bavail * memory.bsize >= neededBytes ? memoryFolder : tmpdir();
}

/** The counts on a line of their own, for readers that are programs. */
function printCounts(outcomes: readonly Outcome[]): void {
  const sum = (count: keyof TestCounts): number => outcomes.reduce((total, outcome) => total + outcome[count], 0);
  const skipped = sum('pending');
  console.log(`${sum('passes')} passed, ${sum('failures')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}

try {
  process.exitCode = await runTests(process.argv.slice(2));
} catch (error) {
  exitWithError(error);
}
