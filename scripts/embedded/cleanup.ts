export type Cleanup = () => Promise<unknown>;

/** Resources to close, last in first out. */
export interface Cleanups {
  /** After `run` has begun, an added resource is closed at once: work in progress may still open one. */
  add(cleanup: Cleanup): void;
  /** Closes all resources once. A failure is printed, and the others are closed nevertheless. */
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
