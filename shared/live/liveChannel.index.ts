import { namedTexts, type NamedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';
import { liveVisibility } from './live.visibility.js';

interface ChannelRow extends UserTexts, NamedTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly public: boolean;
  readonly visible: boolean;
}

/**
 * Live channels; `docs/contract.md#live`. `public` is the channel's own setting, for the owner's search. `visible` is
 * for the public search.
 */
export const liveChannelIndex = defineIndex({
  name: 'liveChannel',
  madeFrom: {
    liveChannel: async (_ctx, _tx, ids) => ids,
    user: idsBy('SELECT id FROM live_channels WHERE owner_id = ANY ($ids::uuid[])'),
  },
  document: channelDocuments,
  ids: idsOfRows('live_channels'),
  groups: {
    channel: { fields: namedTexts, weight: 1 },
    publisher: { fields: userFields, weight: 0.7 },
  },
  filters: ['ownerId', 'public', 'visible', 'tags'],
  sorts: ['name'],
  publicDocuments: { where: 'visible' },
  owner: { member: 'ownerId', ids: 'SELECT id FROM live_channels WHERE owner_id = $ownerId::uuid' },
});

function channelDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  return ctx.db.rows<ChannelRow & SearchDocument>(
    `SELECT channel.id, channel.owner_id, channel.public, ${liveVisibility.channelInSearch} AS visible,
            channel.name, channel.description, channel.tags,
            ${userColumns('owner')}
       FROM live_channels channel JOIN users owner ON owner.id = channel.owner_id
      WHERE channel.id = ANY ($ids::uuid[])`,
    { ids },
  );
}
