import { titledTexts, type TitledTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsOfRows } from '../platform/search/documentIds.js';
import { defineIndex } from '../platform/search/indexDefinition.js';
import type { SearchDocument } from '../platform/search/search.js';

interface BoxRow extends TitledTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly source: string;
  readonly createdAt: Date;
}

/**
 * The box items of all users, of any status; `docs/contract.md#box`. A search is for the items of one owner. The member
 * `licenseType` is added by the marketplace (`shared/indexes.ts`).
 */
export const boxIndex = defineIndex({
  name: 'box',
  madeFrom: {
    box: async (_ctx, _tx, ids) => ids,
  },
  document: boxDocuments,
  ids: idsOfRows('box_items'),
  groups: { content: { fields: titledTexts, weight: 1 } },
  filters: ['id', 'ownerId', 'source', 'licenseType', 'tags'],
  sorts: ['createdAt'],
  publicDocuments: 'none',
  owner: { member: 'ownerId', ids: 'SELECT id FROM box_items WHERE owner_id = $ownerId::uuid' },
});

async function boxDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<BoxRow>(
    `SELECT id, owner_id, source, title, description, tags, created_at
       FROM box_items WHERE id = ANY ($ids::uuid[])`,
    { ids },
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() }));
}
