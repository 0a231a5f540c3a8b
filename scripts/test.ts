import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestDatabase } from './embedded/database.js';
import { findMediaTools } from './embedded/mediaTools.js';
import { killGroup } from './embedded/processes.js';
import { exitWithError } from './embedded/startupError.js';
import { whenNpmHasEnded } from './embedded/shutdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const mocha = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const beside = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

/**
 * Sources may be named instead of what is built of them; without any, all tests run. Everything else is mocha's.
 */
function mochaParameters(given: readonly string[]): string[] {
  const parameters = given.map((one) =>
    one.replace(/^(\.\/)?(test\/.*)\.ts$/, 'dist/$2.js').replace(/^(\.\/)?(test(\/.*)?)\/?$/, 'dist/$2'),
  );
  return parameters.some((one) => one.startsWith('dist/')) ? parameters : [...parameters, 'dist/test/**/*.test.js'];
}

/** Mocha in a process group of its own: at the end whatever a test has left running is ended with the group. */
function startMocha(parameters: readonly string[], environment: Record<string, string>): ChildProcess {
  const child = spawn(
    process.execPath,
    [
      '--enable-source-maps',
      '--import',
      beside('embedded/stopWithParent.js'),
      mocha,
      '--reporter',
      beside('testReporter.js'),
      ...parameters,
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

/** Runs the tests on a PostgreSQL of their own and resolves with mocha's exit code. */
async function runTests(parameters: readonly string[]): Promise<number> {
  const tools = await findMediaTools(process.env, (line) => console.log(line));
  const database = await startTestDatabase();
  try {
    const child = startMocha(parameters, {
      TEST_DATABASE_URL: database.url,
      FFMPEG_PATH: tools.ffmpegPath,
      FFPROBE_PATH: tools.ffprobePath,
    });
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    killGroup(child);
    return signal ? 1 : (code ?? 1);
  } finally {
    await database.stop();
  }
}

try {
  process.exitCode = await runTests(mochaParameters(process.argv.slice(2)));
} catch (error) {
  exitWithError(error);
}
