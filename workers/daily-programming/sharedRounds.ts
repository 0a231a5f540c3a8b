/**
 * Work that one job of a process does for all: a job that comes while it runs has nothing to do, and the work looks again
 * before it ends. So only one runs at a time in a process, and the others take no place in the queue.
 */
export class SharedRounds {
  #isRunning = false;
  #isWanted = false;

  /** Runs rounds until no job has come during the last one. False: they run already, and there will be one more. */
  async run(round: () => Promise<void>): Promise<boolean> {
    this.#isWanted = true;
    if (this.#isRunning) return false;
    this.#isRunning = true;
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await round();
      }
      return true;
    } finally {
      this.#isRunning = false;
    }
  }
}
