import { titledTexts, type TitledTexts } from '../content/describedItem.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { idsBy, defineIndex, type SearchDocument } from '../platform/search/index.js';
import { userColumns, userFields, type UserTexts } from '../user/user.index.js';
import { isListed, isVisible } from './visibility.js';

interface ProgramRow extends UserTexts, TitledTexts {
  readonly id: string;
  readonly ownerId: string;
  readonly channelId: string;
  readonly visible: boolean;
  readonly startsAt: Date;
  readonly endsAt: Date;
  readonly channelName: string;
  readonly channelDescription: string | null;
  readonly channelTags: string[];
}

/** Programs stay in the index for this long after their end. */
const retentionDays = 30;

/** Condition for indexed programs: SQL on the alias `program`; `$over` is the value of `overBefore`. */
const isIndexed = `${isListed} AND program.ends_at > $over::timestamptz`;

/**
 * Cast programs; `docs/contract.md#search`. Services mark `castProgram` when they write, change or delete a program,
 * `castChannel` when they change a channel, and `programmedItem` when the programs of a box item may no longer be played, or may
 * be played again. `startsAt` and `endsAt` are milliseconds since 1970: searches compare the end with the current time, so no
 * job has to update the index when a program ends. The drift sweep removes programs that ended long ago.
 */
export const castProgramIndex = defineIndex({
  name: 'castProgram',
  madeFrom: {
    castProgram: async (_ctx, _tx, ids) => ids,
    castChannel: idsWhere('channel_id'),
    user: idsWhere('owner_id'),
    // Includes programs that no longer have a document.
    programmedItem: idsBy('SELECT id FROM cast_programs WHERE box_item_id = ANY ($ids::uuid[]) AND ends_at > now()'),
  },
  document: programDocuments,
  ids: (ctx, afterId, limit) =>
    ctx.db
      .rows<{ id: string }>(
        `SELECT program.id FROM cast_programs program
          WHERE ${isIndexed} AND ($afterId::uuid IS NULL OR program.id > $afterId::uuid)
          ORDER BY program.id LIMIT $limit::int`,
        { afterId, limit, over: overBefore(ctx) },
      )
      .then((rows) => rows.map(({ id }) => id)),
  groups: {
    program: { fields: titledTexts, weight: 1 },
    channel: { fields: ['channelName', 'channelDescription', 'channelTags'], weight: 0.7 },
    publisher: { fields: userFields, weight: 0.5 },
  },
  filters: ['ownerId', 'channelId', 'visible', 'tags', 'endsAt'],
  sorts: ['startsAt', 'endsAt'],
  columns: { startsAt: 'number', endsAt: 'number', visible: 'flag' },
  lists: [['startsAt', 'endsAt', 'visible']],
  publicDocuments: { where: 'visible' },
});

/** The documents that a change of a channel or of a user affects. */
function idsWhere(column: 'channel_id' | 'owner_id') {
  return async (ctx: Context, tx: Transaction, ids: readonly string[]): Promise<string[]> => {
    const rows = await ctx.db.rows<{ id: string }>(
      `SELECT program.id FROM cast_programs program WHERE program.${column} = ANY ($ids::uuid[]) AND ${isIndexed}`,
      { ids, over: overBefore(ctx) },
      tx,
    );
    return rows.map(({ id }) => id);
  };
}

async function programDocuments(ctx: Context, ids: readonly string[]): Promise<SearchDocument[]> {
  const rows = await ctx.db.rows<ProgramRow>(
    `SELECT program.id, program.owner_id, program.channel_id, ${isVisible} AS visible, program.starts_at,
            program.ends_at, program.title, program.description, program.tags, channel.name AS channel_name,
            channel.description AS channel_description, channel.tags AS channel_tags,
            ${userColumns('owner')}
       FROM cast_programs program
       JOIN cast_channels channel ON channel.id = program.channel_id
       JOIN users owner ON owner.id = program.owner_id
      WHERE program.id = ANY ($ids::uuid[]) AND ${isIndexed}`,
    { ids, over: overBefore(ctx) },
  );
  return rows.map((row) => ({ ...row, startsAt: row.startsAt.getTime(), endsAt: row.endsAt.getTime() }));
}

function overBefore(ctx: Context): Date {
  return new Date(ctx.clock.now().getTime() - retentionDays * 86_400_000);
}
