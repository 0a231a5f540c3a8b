import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

export { yieldToEventLoop };

/** Measures work in time slices, and reports when to yield to the event loop. */
export class TimeSlices {
  readonly #max: number;
  #done = 0;

  /** `max`: the amount of work per time slice. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Adds an amount of work. True if the slice must end before it. */
  isDue(amount: number): boolean {
    this.#done += amount;
    if (this.#done <= this.#max) return false;
    this.#done = amount;
    return true;
  }
}

/**
 * The items in batches of at most `count`. Yields to the event loop between batches, so that other requests continue during long
 * work.
 */
export async function* yieldingBatches<Item>(items: readonly Item[], count: number): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += count) {
    if (start > 0) await yieldToEventLoop();
    yield items.slice(start, start + count);
  }
}
