/** What has been begun and is to be ended, last in first out. */
export interface Cleanups {
  /** Once `all` has been called, what is added is ended at once: work that is being stopped may still begin something. */
  add(end: () => Promise<unknown>): void;
  /** Ends everything, once; what fails to end does not keep the rest from it. */
  all(): Promise<void>;
}

export function createCleanups(): Cleanups {
  const cleanups: (() => Promise<unknown>)[] = [];
  let over: Promise<void> | undefined;
  const run = (end: () => Promise<unknown>): Promise<unknown> => end().catch((error: unknown) => console.error(error));
  const runAll = async (): Promise<void> => {
    for (let end = cleanups.pop(); end; end = cleanups.pop()) await run(end);
  };
  return {
    add(end) {
      if (over) void run(end);
      else cleanups.push(end);
    },
    all: () => (over ??= runAll()),
  };
}
