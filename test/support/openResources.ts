/**
 * What tests have opened and not closed yet: workers and contexts. Root hooks (`rootHooks.ts`) fail the test, or the
 * file, that leaves one open: a leaked worker would take the jobs of later tests.
 */
export interface OpenResource {
  readonly what: string;
  /** The test or hook that opened it. */
  readonly openedBy: string;
}

const open = new Set<OpenResource>();
let current = 'a test file';

/** Named by the root hooks before each test. */
export function setCurrentTest(title: string): void {
  current = title;
}

/** Notes that something was opened; the function returned is called when it is closed. */
export function noteOpened(what: string): () => void {
  const resource = { what, openedBy: current };
  open.add(resource);
  return () => void open.delete(resource);
}

/** For resources that stay open as long as the process. */
export async function exemptFromLeakCheck<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = new Set(open);
  const result = await work();
  for (const resource of open) if (!before.has(resource)) open.delete(resource);
  return result;
}

const closings: (() => Promise<void>)[] = [];

/** For what all files of a process share: it is closed after the last test, else it would keep the process alive. */
export function closeAtEnd(close: () => Promise<void>): void {
  closings.push(close);
}

/** Closes it, last in first out. */
export async function closeShared(): Promise<void> {
  for (const close of closings.splice(0).toReversed()) await close();
}

/** What the test with this title opened and did not close. Each is reported once. */
export function takeOpenedBy(title: string): OpenResource[] {
  return take(({ openedBy }) => openedBy === title);
}

/** Everything that is still open. Each is reported once. */
export function takeOpen(): OpenResource[] {
  return take(() => true);
}

function take(matches: (resource: OpenResource) => boolean): OpenResource[] {
  const taken = [...open].filter(matches);
  for (const resource of taken) open.delete(resource);
  return taken;
}
