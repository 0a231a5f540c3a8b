import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

export { yieldToEventLoop };

/** Counts work, to say when the event loop is to get a turn. */
export class TimeSlices {
  readonly #most: number;
  #done = 0;

  /** `most`: so much is done in one turn. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Whether a turn is due before so much more is done. */
  isDue(amount: number): boolean {
    this.#done += amount;
    if (this.#done <= this.#most) return false;
    this.#done = amount;
    return true;
  }
}

/**
 * The items in batches of at most `count`. Between two batches the event loop gets a turn, so that other requests go on while many
 * items are worked on.
 */
export async function* yieldingBatches<Item>(items: readonly Item[], count: number): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += count) {
    if (start > 0) await yieldToEventLoop();
    yield items.slice(start, start + count);
  }
}
