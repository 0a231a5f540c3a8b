import { describedChange } from '../../content/description.service.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';
import { ConflictError } from '../../platform/errors.js';
import type { TimeZone } from '../../platform/formats/timeZone.js';
import { yieldingBatches } from '../../platform/timeSlices.js';
import { CastProgram } from '../cast.model.js';
import { lockCastChannel } from '../castChannel.service.js';
import { extendChannel } from '../cast.jobs.js';
import { isSameDescription, isSameSource, isSameTime, type Draft } from './draft.js';
import { ownProgram, type OwnProgram, type Program } from './program.queries.js';

/** The descriptive fields of a program. */
export interface ProgramDescription {
  readonly title: string;
  readonly description?: string | undefined;
  readonly thumbnailId?: string | undefined;
  readonly tags?: readonly string[] | undefined;
}

/**
 * Changes the description of a program, also while it is on air and after its end; undefined members keep their values. Times are
 * changed only through the daily programming (`docs/contract.md#cast`). Throws NotFoundError; ValidationError if the thumbnail does
 * not belong to the owner.
 */
export async function updateProgram(
  ctx: Context,
  program: { readonly programId: string; readonly ownerId: string },
  input: Partial<ProgramDescription>,
): Promise<OwnProgram> {
  const { ownerId } = program;
  const { id, channelId } = await ownProgram(ctx, program);
  return ctx.db.transaction(async (tx) => {
    await lockCastChannel(ctx, tx, { channelId, ownerId });
    // Read again: an edit of its day may have removed it before the lock.
    const present = await ownProgram(ctx, { programId: id, ownerId }, tx);
    const values = {
      ...(input.title === undefined ? {} : { title: input.title }),
      ...(await describedChange(ctx, tx, ownerId, input, shownThumbnail(present))),
      updatedAt: ctx.clock.now(),
    };
    await ctx.db.model(CastProgram).update(values, { where: { id }, transaction: tx });
    await ctx.search.markDirty(tx, 'castProgram', id);
    // The slate names the next program.
    await ctx.outbox.add(tx, extendChannel, { channelId });
    return ownProgram(ctx, { programId: id, ownerId }, tx);
  });
}

/** Without a chosen thumbnail, the thumbnail of the content or stream is shown. */
function shownThumbnail({ thumbnailId, content, stream }: OwnProgram) {
  return { thumbnailId, shownThumbnailId: content?.thumbnailId ?? stream?.thumbnailId ?? null };
}

/** Maximum number of coming programs of a channel: two months of full days. */
const maxComing = 25_000;

/** Rows per statement, because the rows of a statement are serialised into one string. */
const rowsOfStatement = 400;
/** Programs that are compared before the function yields to the event loop. */
const draftsPerBatch = 2_000;

/** Throws ConflictError if the channel would have too many coming programs after an edit. */
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
    { channelId, now: ctx.clock.now(), limit: maxComing },
    tx,
  );
  if ((row?.count ?? 0) + added > maxComing)
    throw new ConflictError({ key: 'cast.channelFull', values: { limit: maxComing } });
}

/**
 * Writes the differences between two versions of some days of a channel, with the search marks and jobs that follow from them.
 * Does nothing if there is no difference.
 */
export async function writePrograms(
  ctx: Context,
  tx: Transaction,
  { channelId, ownerId, zone }: { readonly channelId: string; readonly ownerId: string; readonly zone: TimeZone },
  { before, after }: { readonly before: readonly Program[]; readonly after: readonly Draft[] },
): Promise<void> {
  const stored = new Map(before.map((program) => [program.id, program]));
  const written: Draft[] = [];
  for await (const drafts of yieldingBatches(after, draftsPerBatch)) {
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
  // Moved rows are deleted first: after only one of two updates, two programs could start at the same time.
  for await (const ids of yieldingBatches(changed, rowsOfStatement))
    await ctx.db.change('DELETE FROM cast_programs WHERE id = ANY ($ids::uuid[])', { ids }, tx);
  for await (const drafts of yieldingBatches(written, rowsOfStatement))
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
