/**
 * Coalesces the jobs of a process that do the same work: one job runs the work, and a job that starts meanwhile ends at once and
 * causes another run. Each process has at most one run at a time, and the other jobs occupy no worker slot.
 */
export class CoalescedWork {
  #isRunning = false;
  #isRequested = false;

  /**
   * Runs the work until no job has started during its last run. Resolves with false if it is running already; it then runs again.
   */
  async run(work: () => Promise<void>): Promise<boolean> {
    this.#isRequested = true;
    if (this.#isRunning) return false;
    this.#isRunning = true;
    try {
      while (this.#isRequested) {
        this.#isRequested = false;
        await work();
      }
      return true;
    } finally {
      this.#isRunning = false;
    }
  }
}
