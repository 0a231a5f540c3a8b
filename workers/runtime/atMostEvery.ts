/** Progress is written to a row, with its lease, at most this often. */
export const progressEveryMs = 2_000;

/** The action, which does nothing where it was called a shorter time ago. */
export function atMostEvery(milliseconds: number, action: () => void): () => void {
  let nextAt = 0;
  return () => {
    const now = performance.now();
    if (now < nextAt) return;
    nextAt = now + milliseconds;
    action();
  };
}
