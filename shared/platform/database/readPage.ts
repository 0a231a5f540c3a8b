import { pageOf, pageWindow, type Page, type PageRequest } from '../formats/page.js';

/** SQL: reads the rows of one page; it follows the complete order of a statement. The binds are those of `PageRows`. */
export const rowsOfPage = 'LIMIT $limit::int OFFSET $offset::int';

type PageRows = ReturnType<typeof pageWindow>;

/**
 * One page of a list. `read` is a statement that ends with `rowsOfPage`; `count` resolves with the number of all rows. It runs
 * afterwards, so that a request takes one connection.
 */
export async function readPage<Row>(
  request: PageRequest,
  read: (rows: PageRows) => Promise<readonly Row[]>,
  count: () => Promise<number>,
): Promise<Page<Row>> {
  const items = await read(pageWindow(request));
  return pageOf(request, await count(), items);
}
