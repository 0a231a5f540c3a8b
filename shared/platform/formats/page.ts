/**
 * The requested page of a search: `docs/contract.md#search`, with the bounds of `docs/contract.md#choices-requests`.
 */
export interface PageRequest {
  readonly pageSize: number;
  readonly pageIndex: number;
  /** False: all items at once, up to `unpagedLimit`. */
  readonly pagination?: boolean;
  /** Aborted when the caller disconnects: the search is then cancelled. */
  readonly signal?: AbortSignal;
  /** The user or address to whose share of this process's searches the search counts. */
  readonly caller?: string;
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
export const maxPageSize = 100;
export const unpagedLimit = 1000;

/** Rows to skip and rows to read for a page. */
export function pageWindow(page: PageRequest): { offset: number; limit: number } {
  return page.pagination === false
    ? { offset: 0, limit: unpagedLimit }
    : { offset: page.pageIndex * page.pageSize, limit: page.pageSize };
}

/** One page of `totalCount` items, as responses contain it. */
export function pageOf<Item>(request: PageRequest, totalCount: number, items: readonly Item[]): Page<Item> {
  if (request.pagination === false) {
    return { items, pageSize: items.length, pageIndex: 0, totalCount, pageCount: totalCount === 0 ? 0 : 1 };
  }
  const { pageSize, pageIndex } = request;
  return { items, pageSize, pageIndex, totalCount, pageCount: Math.ceil(totalCount / pageSize) };
}
