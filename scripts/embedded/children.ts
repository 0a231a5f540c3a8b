import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { killGroup } from './processes.js';
import { StartupError } from './startupError.js';

/** A process of ours that is kept running. */
export interface Child {
  readonly name: string;
  /** Resolves when it says so for the first time; rejects when it ends before. */
  readonly ready: Promise<void>;
  /** SIGTERM, and SIGKILL to it and all it has started where that is not enough. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly name: string;
  /** The built file, from the root of what is built. */
  readonly entry: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Each line of its output. */
  readonly print: (line: string) => void;
  readonly say: (line: string) => void;
}

const readyWithinMs = 60_000;
const stopWithinMs = 7_500;
/** After living for this long, a death counts as the first again. */
const settledMs = 60_000;
const longestPauseMs = 30_000;
/** Deprecations are of packages that use one another: nothing that a user could do about. */
const flags = [
  '--enable-source-maps',
  '--disable-warning=DeprecationWarning',
  ...['--import', new URL('stopWithParent.js', import.meta.url).href],
];

/** Starts a process and, once it has been ready, starts it again whenever it ends, after a pause that doubles. */
export function keepRunning(options: ChildOptions): Child {
  const { name, say } = options;
  let stopping = false;
  let current = launch(options);
  const ready = readiness(name, current);
  const life = ready.then(
    async () => {
      let pauseMs = 500;
      for (;;) {
        const started = Date.now();
        const reason = await endOf(current);
        if (stopping) return;
        pauseMs = Date.now() - started > settledMs ? 500 : pauseMs;
        say(`${name} has ended (${reason}) and starts again in ${pauseMs / 1000} s.`);
        await sleep(pauseMs, undefined, { ref: false });
        if (stopping) return;
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        current = launch(options);
      }
    },
    () => {},
  );
  return {
    name,
    ready,
    async stop() {
      stopping = true;
      await end(current, () => say(`${name} does not stop and is killed.`));
      void life;
    },
  };
}

/** Starts a process and leaves it dead when it ends: for measurements, which a second life would falsify. */
export function runOnce(options: ChildOptions): Child {
  const { name, say } = options;
  const child = launch(options);
  return {
    name,
    ready: readiness(name, child),
    stop: () => end(child, () => say(`${name} does not stop and is killed.`)),
  };
}

function launch({ entry, environment, print }: ChildOptions): ChildProcess {
  // A process group of its own: Ctrl-C reaches only us, who stop everything in order; and killing the group
  // takes along whatever the process has started.
  const child = spawn(process.execPath, [...flags, fileURLToPath(new URL(`../../${entry}`, import.meta.url))], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', print);
  child.once('exit', () => killGroup(child));
  return child;
}

function readiness(name: string, child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new StartupError(`${name} ${reason}.`));
    const timer = setTimeout(() => fail(`is not ready after ${readyWithinMs / 1000} s`), readyWithinMs);
    child.once('message', () => {
      clearTimeout(timer);
      resolve();
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      fail(`has ended before it was ready (${signal ?? `exit code ${code}`})`);
    });
  });
}

async function endOf(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.signalCode ?? `exit code ${child.exitCode}`;
}

async function end(child: ChildProcess, onKill: () => void): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const inTime = await Promise.race([exit.then(() => true), sleep(stopWithinMs, false, { ref: false })]);
  if (inTime) return;
  onKill();
  killGroup(child);
  await exit;
}
