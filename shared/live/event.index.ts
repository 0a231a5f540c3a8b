import { namedTexts, type NamedTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import { idsBy, idsOfRows, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';
import { liveVisibility } from './live.visibility.js';

interface EventRow extends UserTexts, NamedTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly channelId: string;
  readonly public: boolean;
  readonly recorded: boolean;
  readonly visible: boolean;
  readonly paymentMode: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly channelName: string;
  readonly channelDescription: string | null;
  readonly channelTags: string[];
}

/**
 * Live events; `docs/contract.md#live`. `public` is the event's own setting, for the owner's search. `visible` is for
 * the public search. `startsAt` and `endsAt` are in milliseconds since 1970: searches compare the end with the current
 * time, so that no job has to update the index when an event ends. The on-air state is not in the index: it is read
 * with the rows.
 */
export const liveEventIndex = defineIndex({
  name: 'liveEvent',
  madeFrom: {
    liveEvent: async (_ctx, _tx, ids) => ids,
    liveChannel: idsBy('SELECT id FROM live_events WHERE channel_id = ANY ($ids::uuid[])'),
    user: idsBy('SELECT id FROM live_events WHERE owner_id = ANY ($ids::uuid[])'),
  },
  document: eventDocuments,
  ids: idsOfRows('live_events'),
  groups: {
    event: { fields: namedTexts, weight: 1 },
    channel: { fields: ['channelName', 'channelDescription', 'channelTags'], weight: 0.7 },
    publisher: { fields: userFields, weight: 0.5 },
  },
  filters: ['ownerId', 'channelId', 'public', 'recorded', 'visible', 'paymentMode', 'tags', 'endsAt'],
  sorts: ['startsAt', 'endsAt'],
  columns: { ownerId: 'text', visible: 'flag', startsAt: 'number', endsAt: 'number' },
  lists: [
    ['ownerId', 'startsAt'],
    ['visible', 'startsAt'],
    // For searches of future events, which are few.
    ['visible', 'endsAt'],
  ],
  publicDocuments: { where: 'visible' },
  owner: { member: 'ownerId', ids: 'SELECT id FROM live_events WHERE owner_id = $ownerId::uuid' },
});

async function eventDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<EventRow>(
    `SELECT event.id, event.owner_id, event.channel_id, event.public, event.recorded,
            ${liveVisibility.eventInSearch} AS visible, event.payment_mode, event.starts_at, event.ends_at,
            event.name, event.description, event.tags, channel.name AS channel_name,
            channel.description AS channel_description, channel.tags AS channel_tags,
            ${userColumns('owner')}
       FROM live_events event
       JOIN live_channels channel ON channel.id = event.channel_id
       JOIN users owner ON owner.id = event.owner_id
      WHERE event.id = ANY ($ids::uuid[])`,
    { ids },
  );
  return rows.map((row) => ({ ...row, startsAt: row.startsAt.getTime(), endsAt: row.endsAt.getTime() }));
}
