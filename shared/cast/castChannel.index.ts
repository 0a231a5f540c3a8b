import { namedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields } from '../user/user.index.js';
import { isVisible } from './visibility.js';

/** Cast channels; `docs/contract.md#cast`. `visible` is for the public search. */
export const castChannelIndex = defineIndex({
  name: 'castChannel',
  madeFrom: {
    castChannel: async (_ctx, _tx, ids) => ids,
    user: idsBy('SELECT id FROM cast_channels WHERE owner_id = ANY ($ids::uuid[])'),
  },
  document: channelDocuments,
  ids: idsOfRows('cast_channels'),
  groups: {
    channel: { fields: namedTexts, weight: 1 },
    publisher: { fields: userFields, weight: 0.7 },
  },
  filters: ['ownerId', 'visible', 'tags'],
  sorts: ['name'],
  publicDocuments: { where: 'visible' },
  owner: { member: 'ownerId', ids: 'SELECT id FROM cast_channels WHERE owner_id = $ownerId::uuid' },
});

function channelDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  return ctx.db.rows<SearchDocument>(
    `SELECT channel.id, channel.owner_id, ${isVisible} AS visible,
            channel.name, channel.description, channel.tags,
            ${userColumns('owner')}
       FROM cast_channels channel JOIN users owner ON owner.id = channel.owner_id
      WHERE channel.id = ANY ($ids::uuid[])`,
    { ids },
  );
}
