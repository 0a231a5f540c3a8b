/** Runs the work of a key, unless somebody's is under way; then one more run, which all who come meanwhile share. */
export type AcquireFence<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>;

interface Turn<Result> {
  readonly current: Promise<Result>;
  next?: Promise<Result>;
}

/**
 * One run of a key at a time in this process. What a caller gets was begun after the call: it cannot be older than the
 * question. Many callers at once so cost two runs at most.
 */
export function createTurns<Result>(): AcquireFence<Result> {
  const turns = new Map<string, Turn<Result>>();
  const take: AcquireFence<Result> = (key, work) => {
    const running = turns.get(key);
    if (running) {
      running.next ??= settled(running.current).then(() => {
        turns.delete(key);
        return take(key, work);
      });
      return running.next;
    }
    const turn: Turn<Result> = { current: work() };
    turns.set(key, turn);
    void settled(turn.current).then(() => {
      if (turns.get(key) === turn && !turn.next) turns.delete(key);
    });
    return turn.current;
  };
  return take;
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
