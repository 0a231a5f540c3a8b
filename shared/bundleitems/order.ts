/** The arithmetic of an ordered list; places are numbered from 0. All of it leaves the given lists as they are. */

/**
 * Puts items before the one that stands at `index` now; at `index` = length they come last. Items that are in the list
 * already are taken from their places, so that each is there once, and all of them stand together in the order given.
 */
export function inserted<Item>(list: readonly Item[], index: number, items: readonly Item[]): Item[] {
  const given = new Set(items);
  const others = (part: readonly Item[]) => part.filter((item) => !given.has(item));
  return [...others(list.slice(0, index)), ...items, ...others(list.slice(index))];
}

/** Puts the item at `fromIndex` before the one that stands at `toIndex` now: both are counted before the move. */
export function moved<Item>(list: readonly Item[], fromIndex: number, toIndex: number): Item[] {
  return inserted(list, toIndex, list.slice(fromIndex, fromIndex + 1));
}

/** Takes out `count` items from `index` on. */
export function removed<Item>(list: readonly Item[], index: number, count: number): Item[] {
  return list.toSpliced(index, count);
}
