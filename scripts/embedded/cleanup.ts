export type Cleanup = () => Promise<unknown>;

/** What is to be closed, last in first out. */
export interface Cleanups {
  /** After `run` has begun, what is added is closed at once: work that is being stopped may still open something. */
  add(cleanup: Cleanup): void;
  /** Closes everything, once. A failure is printed and does not stop the rest. */
  run(): Promise<void>;
}

export function createCleanups(): Cleanups {
  const cleanups: Cleanup[] = [];
  let running: Promise<void> | undefined;
  const close = (cleanup: Cleanup): Promise<unknown> => cleanup().catch((error: unknown) => console.error(error));
  const closeAll = async (): Promise<void> => {
    for (let next = cleanups.pop(); next; next = cleanups.pop()) await close(next);
  };
  return {
    add(cleanup) {
      if (running) void close(cleanup);
      else cleanups.push(cleanup);
    },
    run: () => (running ??= closeAll()),
  };
}
