import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { killGroup } from './processes.js';
import { StartupError } from './startupError.js';

/** A process that runs a built file of this project. */
export interface Child {
  readonly name: string;
  /** Resolves when it first reports that it is ready; rejects with a StartupError if it ends before, or after 60 s. */
  readonly ready: Promise<void>;
  /** Sends SIGTERM, and SIGKILL to its whole process group if it does not end in time. */
  stop(): Promise<void>;
}

export interface ChildOptions {
  readonly name: string;
  /** The built file, relative to dist. It sends the message `ready`, or the reason of a failed start. */
  readonly entry: string;
  readonly parameters?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** Called with each line of its output. */
  readonly print: (line: string) => void;
  readonly say: (line: string) => void;
  /** By default 7.5 s. */
  readonly stopWithinMs?: number;
}

export interface RestartOptions extends ChildOptions {
  /** Maximum number of restarts; by default unlimited. */
  readonly giveUp?: { readonly afterRestarts: number; readonly call: (reason: string) => void };
}

const readyWithinMs = 60_000;
/** A process that has run for this long counts as healthy: the restart pause is reset. */
const healthyAfterMs = 60_000;
const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** Deprecation warnings concern code of packages, which users cannot change. */
const flags = [
  '--enable-source-maps',
  '--disable-warning=DeprecationWarning',
  ...['--import', new URL('stopWithParent.js', import.meta.url).href],
];

/** Starts a process. After it has been ready, it is restarted whenever it ends, with exponential backoff. */
export function keepRunning(options: RestartOptions): Child {
  const { name, say, giveUp } = options;
  let stopping = false;
  let current = launch(options);
  const ready = readiness(name, current);
  const keep = async (): Promise<void> => {
    for (let restarts = 0; ; restarts += 1) {
      const started = Date.now();
      const reason = await endOf(current);
      if (stopping) return;
      if (Date.now() - started > healthyAfterMs) restarts = 0;
      if (restarts === giveUp?.afterRestarts) return giveUp.call(`${name} is not restarted: ${reason}`);
      const pauseMs = Math.min(firstPauseMs * 2 ** restarts, maxPauseMs);
      say(`${name} has ended (${reason}) and restarts in ${pauseMs / 1000} s.`);
      await sleep(pauseMs, undefined, { ref: false });
      if (stopping) return;
      current = launch(options);
    }
  };
  void ready.then(keep, () => {});
  return {
    name,
    ready,
    async stop() {
      stopping = true;
      await stop(current, options);
    },
  };
}

/** Starts a process without restarts: a restart would falsify a measurement. */
export function runOnce(options: ChildOptions): Child & { readonly pid: number } {
  const child = launch(options);
  const { name } = options;
  return { name, pid: child.pid ?? 0, ready: readiness(name, child), stop: () => stop(child, options) };
}

function launch({ entry, parameters = [], environment, print }: ChildOptions): ChildProcess {
  const file = fileURLToPath(new URL(`../../${entry}`, import.meta.url));
  // A new process group: Ctrl-C reaches only this process, which stops the others in order, and killing the group also kills the
  // child's own children.
  const child = withErrorListener(
    spawn(process.execPath, [...flags, file, ...parameters], {
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    }),
  );
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', print);
  child.once('exit', () => killGroup(child));
  return child;
}

async function readiness(name: string, child: ChildProcess): Promise<void> {
  const timeout = new AbortController();
  const outcome = await Promise.race([
    new Promise<string>((resolve) => child.once('message', (message) => resolve(message as string))),
    endOf(child).then((reason) => `${name} has ended before it was ready (${reason}).`),
    sleep(readyWithinMs, `${name} is not ready after ${readyWithinMs / 1000} s.`, { signal: timeout.signal }),
  ]);
  timeout.abort();
  if (outcome !== 'ready') throw new StartupError(outcome);
}

/** Resolves with the reason that the process has sent, otherwise with its signal or exit code. */
async function endOf(child: ChildProcess): Promise<string> {
  let sent: string | undefined;
  child.on('message', (message) => {
    if (typeof message === 'string' && message !== 'ready') sent = message;
  });
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  // Messages that were sent before the exit may arrive after it.
  if (child.connected) await once(child, 'disconnect');
  return sent ?? child.signalCode ?? `exit code ${child.exitCode}`;
}

async function stop(child: ChildProcess, { name, say, stopWithinMs = 7_500 }: ChildOptions): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const inTime = await Promise.race([exit.then(() => true), sleep(stopWithinMs, false, { ref: false })]);
  if (inTime) return;
  say(`${name} does not stop and is killed.`);
  killGroup(child);
  await exit;
}
