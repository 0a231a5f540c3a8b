/** What a search asks for; `docs/contract.md#search`, bounds from `docs/contract.md#choices-requests`. */
export interface PageRequest {
  readonly pageSize: number;
  readonly pageIndex: number;
  /** False: everything at once, up to `unpagedLimit`. */
  readonly pagination: boolean;
}

/** Page result of `docs/contract.md#fields-page`. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly pageSize: number;
  readonly pageIndex: number;
  readonly totalCount: number;
  readonly pageCount: number;
}

export const defaultPageSize = 20;
export const maximumPageSize = 100;
export const unpagedLimit = 1000;

/** Rows to skip and to take for a page. */
export function windowOf(page: PageRequest): { offset: number; limit: number } {
  return page.pagination
    ? { offset: page.pageIndex * page.pageSize, limit: page.pageSize }
    : { offset: 0, limit: unpagedLimit };
}

/** The wire form of one page of `totalCount` items. */
export function pageOf<Item>(request: PageRequest, totalCount: number, items: readonly Item[]): Page<Item> {
  if (!request.pagination) {
    return { items, pageSize: items.length, pageIndex: 0, totalCount, pageCount: totalCount === 0 ? 0 : 1 };
  }
  const { pageSize, pageIndex } = request;
  return { items, pageSize, pageIndex, totalCount, pageCount: Math.ceil(totalCount / pageSize) };
}
