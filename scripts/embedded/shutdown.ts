import { StartupError } from './startupError.js';

/** The end of a start: whatever was begun is ended, last in first out, once. */
export interface Shutdown {
  /** Aborted when it begins. */
  readonly signal: AbortSignal;
  /** Something that is to be ended. */
  add(end: () => Promise<void>): void;
  /** Says why, ends everything and the process. */
  begin(reason: string, exitCode: number): void;
  /** Ends everything over an error: one line where it is a Refusal. */
  over(error: unknown): Promise<void>;
}

/**
 * Begins by itself on SIGINT, SIGTERM and SIGHUP, which often come twice (terminal and npm), and once is enough; and when
 * the reader of our output has gone (`npm start | head`).
 */
export function createShutdown(say: (line: string) => void): Shutdown {
  const cleanups: (() => Promise<void>)[] = [];
  const beginning = new AbortController();
  let begun: Promise<void> | undefined;
  const endAll = async (exitCode: number): Promise<void> => {
    for (const end of cleanups.toReversed()) await end().catch((error: unknown) => console.error(error));
    process.exit(exitCode);
  };
  const begin = (reason: string, exitCode: number): void => {
    if (begun) return;
    say(reason);
    beginning.abort();
    begun = endAll(exitCode);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => begin('Stopping ...', 0));
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', () => begin('Nobody reads this any more: stopping ...', 0));
  }
  whenNpmIsGone(() => begin('npm is gone: stopping ...', 0));
  return {
    signal: beginning.signal,
    add: (end) => void cleanups.push(end),
    begin,
    over(error) {
      if (begun) return begun;
      console.error(error instanceof StartupError ? error.message : error);
      beginning.abort();
      return (begun = endAll(1));
    },
  };
}

/** Who kills npm the hard way means all of it. */
export function whenNpmIsGone(then: () => void): void {
  const parent = process.ppid;
  if (!process.env['npm_lifecycle_event']) return;
  setInterval(() => {
    if (process.ppid !== parent) then();
  }, 500).unref();
}
