import type { Context } from '../platform/context.js';
import type { Page, PageRequest } from '../platform/page.js';
import { ownItems, type HeldItem } from './box.item.js';
import type { BoxSource } from './box.model.js';
import { boxIndex } from './box.search.js';

export interface BoxSearch {
  readonly text: string | undefined;
  readonly tags: readonly string[];
  readonly source: BoxSource | undefined;
  readonly page: PageRequest;
}

/** The owner's items, whatever their status; newest first where nothing is searched for. `interface.md 4.4` */
export function searchOwnItems(ctx: Context, ownerId: string, search: BoxSearch): Promise<Page<HeldItem>> {
  const { text, tags, source, page } = search;
  const filters = {
    ownerId: { equal: ownerId },
    ...(tags.length > 0 ? { tags: { all: tags } } : {}),
    ...(source === undefined ? {} : { source: { equal: source } }),
  };
  return ctx.search.page(boxIndex, { text, groups: ['content'], filters, sort: ['-createdAt'], page }, (ids) =>
    ownItems(ctx, ownerId, ids),
  );
}
