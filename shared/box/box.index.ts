import type { Context } from '../platform/context.js';
import { idsOfRows } from '../platform/search/documentIds.js';
import { defineIndex } from '../platform/search/indexDefinition.js';
import type { SearchDocument } from '../platform/search/search.js';

interface BoxRow {
  readonly id: string;
  readonly ownerId: string;
  readonly source: string;
  /** Of what was acquired; null for the rest. */
  readonly licenseType: string | null;
  readonly title: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly createdAt: Date;
}

/** A user's own box: `docs/contract.md#box`. Whatever its status, an item is found by its owner. */
export const boxIndex = defineIndex({
  name: 'box',
  madeFrom: {
    box: async (_ctx, _tx, ids) => ids,
  },
  document: boxDocuments,
  ids: idsOfRows('box_items'),
  groups: { content: { fields: ['title', 'description', 'tags'], weight: 1 } },
  filters: ['id', 'ownerId', 'source', 'licenseType', 'tags'],
  sorts: ['createdAt'],
});

async function boxDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<BoxRow>(
    `SELECT box.id, box.owner_id, box.source, license.license_type,
            box.title, box.description, box.tags, box.created_at
     FROM box_items box LEFT JOIN acquired_licenses license ON license.box_item_id = box.id
     WHERE box.id = ANY ($ids::uuid[])`,
    { ids },
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() }));
}
