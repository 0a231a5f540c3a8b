import { namedTexts, type NamedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';
import { isOwnerActive } from '../user/user.visibility.js';

interface BundleRow extends UserTexts, NamedTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly visible: boolean;
  readonly publishedAt: Date;
}

/** Bundles; `docs/contract.md#bundles`. `visible`, for the public search: the publisher is active. */
export const bundleIndex = defineIndex({
  name: 'bundle',
  madeFrom: {
    bundle: async (_ctx, _tx, ids) => ids,
    user: idsBy('SELECT id FROM bundles WHERE owner_id = ANY ($ids::uuid[]) AND deleted_at IS NULL'),
  },
  document: bundleDocuments,
  ids: idsOfRows('bundles', 'deleted_at IS NULL'),
  groups: {
    bundle: { fields: namedTexts, weight: 1 },
    publisher: { fields: userFields, weight: 0.7 },
  },
  filters: ['ownerId', 'visible', 'tags'],
  sorts: ['publishedAt'],
  columns: { ownerId: 'text', visible: 'flag', publishedAt: 'number' },
  lists: [
    ['ownerId', 'publishedAt'],
    ['visible', 'publishedAt'],
  ],
  publicDocuments: { where: 'visible' },
  owner: { member: 'ownerId', ids: 'SELECT id FROM bundles WHERE owner_id = $ownerId::uuid' },
});

async function bundleDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<BundleRow>(
    `SELECT bundle.id, bundle.owner_id, ${isOwnerActive} AS visible, bundle.name, bundle.description,
            bundle.tags, bundle.published_at,
            ${userColumns('owner')}
       FROM bundles bundle JOIN users owner ON owner.id = bundle.owner_id
      WHERE bundle.id = ANY ($ids::uuid[]) AND bundle.deleted_at IS NULL`,
    { ids },
  );
  return rows.map((row) => ({ ...row, publishedAt: row.publishedAt.getTime() }));
}
