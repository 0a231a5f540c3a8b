import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

export { yieldToEventLoop };

/** Counts work, and reports when the event loop must run other work. */
export class TimeSlices {
  readonly #max: number;
  #done = 0;

  /** `max`: the work of one time slice. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Whether the slice ends before this amount of work. */
  isDue(amount: number): boolean {
    this.#done += amount;
    if (this.#done <= this.#max) return false;
    this.#done = amount;
    return true;
  }
}

/**
 * The items in batches of at most `count`. Between two batches the event loop runs other work, so that other requests go on while many
 * items are worked on.
 */
export async function* yieldingBatches<Item>(items: readonly Item[], count: number): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += count) {
    if (start > 0) await yieldToEventLoop();
    yield items.slice(start, start + count);
  }
}
