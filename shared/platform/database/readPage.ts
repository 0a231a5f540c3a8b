import { pageOf, pageWindow, type Page, type PageRequest } from '../formats/page.js';

/** SQL: selects the rows of one page; appended to a statement with a total order. The binds are those of `PageRows`. */
export const rowsOfPage = 'LIMIT $limit::int OFFSET $offset::int';

type PageRows = ReturnType<typeof pageWindow>;

/**
 * One page of a list. `read` is a statement that ends with `rowsOfPage`; `count` resolves with the number of all rows. They run
 * one after the other, so that a request uses one connection.
 */
export async function readPage<Row>(
  request: PageRequest,
  read: (rows: PageRows) => Promise<readonly Row[]>,
  count: () => Promise<number>,
): Promise<Page<Row>> {
  const items = await read(pageWindow(request));
  return pageOf(request, await count(), items);
}
