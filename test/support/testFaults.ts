import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Context } from '../../shared/platform/context.js';

/** Warnings of Node and invalid log lines, of this process and of the processes that tests start. */
const warnings: string[] = [];

/** Node's format of a warning: `(node:4711) [DEP0005] DeprecationWarning: ...`. */
const printedWarning = /\(node:\d+\) (.*)/;

/** Records the warnings of this process. */
export function watchOwnWarnings(): void {
  process.on('warning', ({ name, message, stack }) => warnings.push(stack ?? `${name}: ${message}`));
}

/** Records the warnings that a child process prints. Called with the streams that its parent reads. */
export function watchPrintedWarnings(...streams: readonly (Readable | null)[]): void {
  for (const input of streams) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      const [, warning] = printedWarning.exec(line) ?? [];
      if (warning !== undefined) warnings.push(`of a process that the test has started: ${warning}`);
    });
  }
}

/** Records each log line with a duplicate member: the line of a child logger that repeats one of its bindings. */
export function watchLog(input: Readable | null): void {
  if (input) createInterface({ input }).on('line', watchLogLine);
}

export function watchLogLine(line: string): void {
  if (hasMemberTwice(line.trim())) warnings.push(`log line has a member twice: ${line}`);
}

/** Parsing keeps one of two equal members. False for an incomplete line. */
function hasMemberTwice(line: string): boolean {
  try {
    return line.startsWith('{') && JSON.stringify(JSON.parse(line)).length < line.length;
  } catch {
    return false;
  }
}

/** The warnings since the previous call. */
export function takeWarnings(): string[] {
  return warnings.splice(0);
}

/** A running transaction. */
interface RunningTransaction {
  isOver: boolean;
}

const transactions = new AsyncLocalStorage<RunningTransaction>();
const faults: string[] = [];

/** The calls that reach the store. */
const calls = ['put', 'putFile', 'copy', 'stat', 'read', 'fetch', 'remove', 'removeAll', 'list'] as const;

/**
 * Makes every storage call inside a transaction an error of the current test (`rootHooks.ts`): a hanging store would hold
 * the locks and the connection.
 */
export function forbidStorageInTransactions({ db, storage }: Pick<Context, 'db' | 'storage'>): void {
  const begin = db.transaction.bind(db);
  const transaction: typeof begin = (work) => {
    const running = { isOver: false };
    return begin((tx) => transactions.run(running, () => work(tx))).finally(() => (running.isOver = true));
  };
  Object.assign(db, { transaction });
  for (const name of calls) {
    const call = storage[name] as (...parameters: unknown[]) => unknown;
    const recorded = (...parameters: unknown[]): unknown => {
      const running = transactions.getStore();
      if (running && !running.isOver)
        faults.push(new Error(`storage.${name} is called inside a transaction`).stack ?? '');
      return call.apply(storage, parameters);
    };
    Object.assign(storage, { [name]: recorded });
  }
}

/** The errors since the previous call. */
export function takeStorageFaults(): string[] {
  return faults.splice(0);
}

/**
 * Workers and contexts that tests have opened and not closed. Root hooks (`rootHooks.ts`) fail the test or file
 * that leaves one open: a leaked worker would run the jobs of later tests.
 */
export interface OpenResource {
  readonly what: string;
  /** The test or hook that opened it. */
  readonly openedBy: string;
}

const open = new Set<OpenResource>();
let current = 'a test file';

/** Set by the root hooks before each test. */
export function setCurrentTest(title: string): void {
  current = title;
}

/** Records an opened resource; call the returned function when it is closed. */
export function noteOpened(what: string): () => void {
  const resource = { what, openedBy: current };
  open.add(resource);
  return () => void open.delete(resource);
}

/** Exempts resources that stay open until the process ends. */
export async function exemptFromLeakCheck<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = new Set(open);
  const result = await work();
  for (const resource of open) if (!before.has(resource)) open.delete(resource);
  return result;
}

const closings: (() => Promise<void>)[] = [];

/** Registers a shared resource of all files of a process: it is closed after the last test, so that the process can end. */
export function closeAtEnd(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes the shared resources, last in first out. */
export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}

/** The resources that the test with this title opened and did not close. Each is reported once. */
export function takeOpenedBy(title: string): OpenResource[] {
  return take(({ openedBy }) => openedBy === title);
}

/** All open resources. Each is reported once. */
export function takeOpen(): OpenResource[] {
  return take(() => true);
}

function take(matches: (resource: OpenResource) => boolean): OpenResource[] {
  const taken = [...open].filter(matches);
  for (const resource of taken) open.delete(resource);
  return taken;
}
