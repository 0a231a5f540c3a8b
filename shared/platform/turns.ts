import { setImmediate as nextTurn } from 'node:timers/promises';

export { nextTurn };

/**
 * The items in batches of at most `count`. Between two batches the event loop gets a turn, so that other requests go on while many
 * items are worked on.
 */
export async function* batchesInTurns<Item>(items: readonly Item[], count: number): AsyncGenerator<readonly Item[]> {
  for (let start = 0; start < items.length; start += count) {
    if (start > 0) await nextTurn();
    yield items.slice(start, start + count);
  }
}
