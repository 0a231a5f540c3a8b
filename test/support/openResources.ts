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
