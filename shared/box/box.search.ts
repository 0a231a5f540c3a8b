import type { Context } from '../platform/context.js';
import { defineIndex, type SearchDocument } from '../platform/search/search.js';

interface BoxRow {
  readonly id: string;
  readonly ownerId: string;
  readonly source: string;
  readonly title: string;
  readonly description: string | null;
  readonly tags: string[];
  readonly createdAt: Date;
}

/** A user's own box: `interface.md 4.4`. Whatever its status, an item is found by its owner. */
export const boxIndex = defineIndex({
  name: 'box',
  madeFrom: {
    box: async (_ctx, _tx, ids) => ids,
  },
  document: boxDocuments,
  ids: boxIds,
  groups: { content: { fields: ['title', 'description', 'tags'], weight: 1 } },
  filters: ['ownerId', 'source', 'tags'],
  sorts: ['createdAt'],
});

async function boxDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<BoxRow>(
    `SELECT id, owner_id AS "ownerId", source, title, description, tags, created_at AS "createdAt"
     FROM box_items WHERE id = ANY ($ids::uuid[])`,
    { ids },
  );
  return rows.map((row) => ({ ...row, createdAt: row.createdAt.getTime() }));
}

async function boxIds(ctx: Context, afterId: string | null, limit: number): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    'SELECT id FROM box_items WHERE ($afterId::uuid IS NULL OR id > $afterId::uuid) ORDER BY id LIMIT $limit::int',
    { afterId, limit },
  );
  return rows.map(({ id }) => id);
}
