import type { Condition } from './search.js';

/** Filters of a query, combined with AND. */
export type Filters = Readonly<Record<string, Condition | undefined>>;

/** Documents with this value; undefined: no filter. */
export function equalTo(value: string | number | boolean | undefined): Condition | undefined {
  return value === undefined ? undefined : { equal: value };
}

/** Documents with all of these tags; no filter if the list is empty (`docs/contract.md#search`). */
export function tagFilter(tags: readonly string[]): Filters {
  return tags.length > 0 ? { tags: { all: tags } } : {};
}
