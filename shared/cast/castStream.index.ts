import { namedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { CastStream } from './cast.model.js';

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
  const attributes = ['id', 'ownerId', 'name', 'description', 'tags'] as const;
  return ctx.db.model(CastStream).findAll({ where: { id: ids }, attributes });
}
