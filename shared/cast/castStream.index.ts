import { namedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsOfRows } from '../platform/search/documentIds.js';
import { defineIndex } from '../platform/search/indexDefinition.js';
import type { SearchDocument } from '../platform/search/search.js';

/** Cast streams, for their owners; `docs/contract.md#cast`. */
export const castStreamIndex = defineIndex({
  name: 'castStream',
  madeFrom: { castStream: async (_ctx, _tx, ids) => ids },
  document: streamDocuments,
  ids: idsOfRows('cast_streams'),
  groups: { stream: { fields: namedTexts, weight: 1 } },
  filters: ['ownerId', 'tags'],
  sorts: ['name'],
  publicDocuments: 'none',
  owner: { member: 'ownerId', ids: 'SELECT id FROM cast_streams WHERE owner_id = $ownerId::uuid' },
});

function streamDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  return ctx.db.rows<SearchDocument>(
    'SELECT id, owner_id, name, description, tags FROM cast_streams WHERE id = ANY ($ids::uuid[])',
    { ids },
  );
}
