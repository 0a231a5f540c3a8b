import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ConflictError } from '../../platform/errors.js';
import { batchesInTurns } from '../../platform/turns.js';
import { extendChannel } from '../playout.jobs.js';
import { isSameDescription, isSameSource, isSameTime, type Draft } from './draft.js';
import type { Edit } from './edit.js';
import type { Program } from './program.queries.js';

/** Programs of a channel that are not over: two months of full days. */
const maximumPrograms = 25_000;

/** Rows of one statement: a longer one would be written as one long text. */
const rowsOfStatement = 400;
/** Programs that are compared between two turns of the event loop. */
const draftsOfTurn = 2_000;

/** Throws ConflictError where an edit that adds programs would leave the channel with too many. */
export async function assertFewPrograms(
  ctx: Context,
  tx: Transaction,
  channelId: string,
  added: number,
): Promise<void> {
  if (added <= 0) return;
  const [row] = await ctx.db.rows<{ count: number }>(
    `SELECT count(*)::integer AS count FROM
       (SELECT 1 FROM cast_programs WHERE channel_id = $channelId AND starts_at > $now LIMIT $limit) AS coming`,
    { channelId, now: ctx.clock.now(), limit: maximumPrograms },
    tx,
  );
  if ((row?.count ?? 0) + added > maximumPrograms)
    throw new ConflictError({ key: 'cast.channelFull', values: { limit: maximumPrograms } });
}

/**
 * Writes what differs between two versions of some days of a channel, with everything that follows from it. Does nothing where
 * nothing differs.
 */
export async function writePrograms(
  ctx: Context,
  tx: Transaction,
  { channelId, ownerId, zone }: Edit,
  { before, after }: { readonly before: readonly Program[]; readonly after: readonly Draft[] },
): Promise<void> {
  const stored = new Map(before.map((program) => [program.id, program]));
  const written: Draft[] = [];
  for await (const drafts of batchesInTurns(after, draftsOfTurn)) {
    written.push(
      ...drafts.filter((draft) => {
        const present = stored.get(draft.id);
        return !present || !isStoredAs(present, draft);
      }),
    );
  }
  const staying = new Set(after.map(({ id }) => id));
  const leaving = before.flatMap(({ id }) => (staying.has(id) ? [] : id));
  const changed = [...leaving, ...written.map(({ id }) => id)];
  if (changed.length === 0) return;
  // Rows that move are removed first: between two updates, two programs could start at the same time.
  for await (const ids of batchesInTurns(changed, rowsOfStatement))
    await ctx.db.change('DELETE FROM cast_programs WHERE id = ANY ($ids::uuid[])', { ids }, tx);
  for await (const drafts of batchesInTurns(written, rowsOfStatement))
    await insertPrograms(ctx, tx, { channelId, ownerId }, drafts, stored);
  await ctx.db.change(
    'UPDATE cast_channels SET time_zone = $timeZone WHERE id = $channelId',
    { channelId, timeZone: zone.id },
    tx,
  );
  await ctx.search.markDirty(tx, 'castProgram', changed);
  await ctx.outbox.add(tx, extendChannel, { channelId });
}

function isStoredAs(program: Program, draft: Draft): boolean {
  return (
    isSameTime(program, draft) &&
    isSameSource(program, draft) &&
    isSameDescription(program, draft) &&
    program.failureKey === draft.failureKey
  );
}

async function insertPrograms(
  ctx: Context,
  tx: Transaction,
  { channelId, ownerId }: { readonly channelId: string; readonly ownerId: string },
  drafts: readonly Draft[],
  stored: ReadonlyMap<string, Program>,
): Promise<void> {
  const now = ctx.clock.now();
  const rows = drafts.map((draft) => ({
    id: draft.id,
    starts_at: draft.startsAt,
    ends_at: draft.endsAt,
    type: draft.type,
    box_item_id: draft.boxItemId,
    offset_seconds: draft.offsetSeconds,
    stream_id: draft.streamId,
    title: draft.title,
    description: draft.description,
    thumbnail_id: draft.thumbnailId,
    tags: draft.tags,
    failure_key: draft.failureKey,
    created_at: stored.get(draft.id)?.createdAt ?? now,
  }));
  await ctx.db.change(
    `INSERT INTO cast_programs (id, channel_id, owner_id, starts_at, ends_at, type, box_item_id, offset_seconds, stream_id,
                                title, description, thumbnail_id, tags, failure_key, created_at, updated_at)
     SELECT id, $channelId::uuid, $ownerId::uuid, starts_at, ends_at, type, box_item_id, offset_seconds, stream_id,
            title, description, thumbnail_id,
            ARRAY (SELECT tag FROM jsonb_array_elements_text(program.tags) WITH ORDINALITY AS sent (tag, place) ORDER BY place),
            failure_key, created_at, $now::timestamptz
       FROM jsonb_to_recordset($rows::jsonb) AS program
            (id uuid, starts_at timestamptz, ends_at timestamptz, type text, box_item_id uuid, offset_seconds integer,
             stream_id uuid, title text, description text, thumbnail_id uuid, tags jsonb, failure_key text,
             created_at timestamptz)`,
    { channelId, ownerId, now, rows: JSON.stringify(rows) },
    tx,
  );
}
