import { createCleanups, type Cleanup } from './cleanup.js';
import { StartupError } from './startupError.js';

/** The shutdown of `npm start` and of other long commands: all opened resources are closed once. */
export interface Shutdown {
  /** Aborted when the shutdown begins. */
  readonly signal: AbortSignal;
  /** Registers something to close, last in first out. */
  add(cleanup: Cleanup): void;
  /** Prints the reason, closes everything and exits. */
  begin(reason: string, exitCode: number): void;
  /** Prints the error (one line if it is a StartupError), closes everything and exits with 1. */
  fail(error: unknown): Promise<void>;
}

/**
 * The shutdown also begins on SIGINT, SIGTERM and SIGHUP, when the reader of the output has ended (`npm start | head`), and when
 * npm has ended. Signals often arrive twice, from the terminal and from npm; the second has no effect.
 */
export function createShutdown(say: (line: string) => void): Shutdown {
  const cleanups = createCleanups();
  const beginning = new AbortController();
  let running: Promise<void> | undefined;
  const run = (announce: () => void, exitCode: number): Promise<void> => {
    if (running) return running;
    announce();
    beginning.abort();
    return (running = cleanups.run().then(() => process.exit(exitCode)));
  };
  const begin = (reason: string, exitCode: number): void => void run(() => say(reason), exitCode);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => begin('Stopping ...', 0));
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => begin('The output is closed: stopping ...', 0));
  }
  whenNpmHasEnded(() => begin('npm has ended: stopping ...', 0));
  return {
    signal: beginning.signal,
    add: (cleanup) => cleanups.add(cleanup),
    begin,
    fail: (error) => run(() => console.error(error instanceof StartupError ? error.message : error), 1),
  };
}

/** Detects that npm was killed without forwarding the signal. Then calls back every half second. */
export function whenNpmHasEnded(callback: () => void): void {
  const parent = process.ppid;
  if (!process.env['npm_lifecycle_event']) return;
  setInterval(() => {
    if (process.ppid !== parent) callback();
  }, 500).unref();
}
