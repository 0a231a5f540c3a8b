/** Minimum interval at which progress is written to a row, together with its lease. */
export const progressEveryMs = 2_000;

/** Returns a throttled action, which does nothing if its last run was more recent. */
export function atMostEvery(milliseconds: number, action: () => void): () => void {
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + milliseconds;
    action();
  };
}
