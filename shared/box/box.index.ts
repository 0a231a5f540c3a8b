import { withCaptionWords } from '../caption/caption.queries.js';
import { captionGroup } from '../caption/captionWords.js';
import { titledTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { BoxItem } from './box.model.js';

/**
 * The box items of all users, in any status; `docs/contract.md#box`. A search covers the items of one owner. The
 * marketplace adds the member `licenseType` (`shared/indexes.ts`).
 */
export const boxIndex = defineIndex({
  name: 'box',
  madeFrom: {
    box: async (_ctx, _tx, ids) => ids,
    caption: idsBy('SELECT id FROM box_items WHERE content_id = ANY ($ids::uuid[])'),
  },
  document: boxDocuments,
  ids: idsOfRows('box_items'),
  groups: { content: { fields: titledTexts, weight: 1 }, captions: captionGroup },
  longTexts: captionGroup.fields,
  filters: ['id', 'ownerId', 'source', 'licenseType', 'tags'],
  sorts: ['createdAt'],
  columns: { ownerId: 'text', createdAt: 'number' },
  lists: [['ownerId', 'createdAt']],
  publicDocuments: 'none',
  owner: { member: 'ownerId', ids: 'SELECT id FROM box_items WHERE owner_id = $ownerId::uuid' },
});

async function boxDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const attributes = ['id', 'ownerId', 'source', 'title', 'description', 'tags', 'createdAt', 'contentId'] as const;
  const rows = await ctx.db.model(BoxItem).findAll({ where: { id: ids }, attributes });
  return (await withCaptionWords(ctx, rows)).map((row) => ({
    ...row,
    createdAt: row.createdAt.getTime(),
  }));
}
