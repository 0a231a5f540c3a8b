import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { CastChannel, CastSlate } from './cast.model.js';
import { newPreparedFolder } from './preparation.lifecycle.js';
import { prepareCast } from './cast.jobs.js';
import { maxProgramMs } from './programming/program.queries.js';
import { slatesFor, type SlateProgram, type RequestedSlate } from './slatePlan.js';
import { castFileKey } from './cutAndSlateFiles.queries.js';

const day = 24 * 3_600_000;
/** A slate without next program is kept this long after its last request. */
const retentionMilliseconds = 30 * day;
const renewedMilliseconds = 15 * day;
/** A loop that begins before a slate's end is played completely. */
const loopMilliseconds = 60_000;

/**
 * Requests the slates that a channel may need in the next minutes: one with only its name, and one with the start and title of
 * each coming program that follows a gap. Stored slates are not requested again; outdated slates are no longer shown.
 * Idempotent; writes nothing if nothing is new.
 */
export async function requestSlates(ctx: Context, channelId: string): Promise<void> {
  const channel = await ctx.db.model(CastChannel).findByPk(channelId);
  if (!channel) return;
  const now = ctx.clock.now();
  const requested = slatesFor(channel, await programsForSlates(ctx, channelId, now), now);
  const known = await ctx.db.model(CastSlate).findAll({ where: { channelId } });
  const missing = requested.filter((slate) => !known.some((row) => isSame(row, slate, now)));
  const outdated = known.filter((row) => isOutdated(row, requested, known, now));
  if (missing.length === 0 && outdated.length === 0) return;
  await ctx.db.transaction(async (tx) => {
    // The lock prevents slates of a concurrently deleted channel, which would never be removed.
    const where = { id: channelId };
    if (!(await ctx.db.model(CastChannel).findOne({ where, attributes: ['id'], lock: 'KEY SHARE', transaction: tx })))
      return;
    await saveSlates(ctx, tx, channelId, missing);
    await ctx.db.change(
      'UPDATE cast_slates SET shows_until = $now, needed_until = least(needed_until, $until) WHERE id = ANY($ids::uuid[])',
      { ids: outdated.map(({ id }) => id), now, until: new Date(now.getTime() + day) },
      tx,
    );
  });
}

function isSame(row: CastSlate, { digest, showsFrom, showsUntil }: RequestedSlate, now: Date): boolean {
  return (
    row.digest === digest &&
    row.showsFrom.getTime() === showsFrom.getTime() &&
    row.showsUntil?.getTime() === showsUntil?.getTime() &&
    (showsUntil !== null || row.neededUntil.getTime() > now.getTime() + renewedMilliseconds)
  );
}

/** Whether a slate must no longer be shown. The slate with the old channel name is shown until the new one is stored. */
function isOutdated(
  row: CastSlate,
  requested: readonly RequestedSlate[],
  known: readonly CastSlate[],
  now: Date,
): boolean {
  if (requested.some(({ digest }) => digest === row.digest)) return false;
  if (row.showsUntil !== null) return row.showsUntil > now;
  return known.some(({ state, digest }) => state === 'READY' && digest === requested[0]?.digest);
}

async function saveSlates(
  ctx: Context,
  tx: Transaction,
  channelId: string,
  slates: readonly RequestedSlate[],
): Promise<void> {
  const now = ctx.clock.now();
  for (const { digest, lines, thumbnailId, showsFrom, showsUntil } of slates) {
    const id = randomUUID();
    const neededUntil = showsUntil
      ? new Date(showsUntil.getTime() + loopMilliseconds)
      : new Date(now.getTime() + retentionMilliseconds);
    const [saved] = await ctx.db.rows<{ id: string; state: string }>(
      `INSERT INTO cast_slates (id, channel_id, digest, lines, thumbnail_id, shows_from, shows_until, state, folder, needed_until, created_at)
       VALUES ($id, $channelId, $digest, $lines::jsonb, $thumbnailId, $showsFrom, $showsUntil, 'WAITING', $folder, $neededUntil, $now)
       ON CONFLICT (channel_id, digest) DO UPDATE
          SET shows_from = excluded.shows_from, shows_until = excluded.shows_until, needed_until = excluded.needed_until
       RETURNING id, state`,
      {
        ...{ id, channelId, digest, thumbnailId, showsFrom, showsUntil, neededUntil, now },
        lines: JSON.stringify(lines),
        folder: newPreparedFolder(id),
      },
      tx,
    );
    if (saved?.state === 'WAITING') await ctx.outbox.add(tx, prepareCast, { id: saved.id });
  }
}

/**
 * The stored slates of a channel. The slate at a time is the first one with `showsFrom` <= time < `showsUntil` (null: no end).
 * The default slate is the last one. The list is empty only until a worker has encoded the first default slate.
 */
export async function readySlates(ctx: Context, channelId: string): Promise<CastSlate[]> {
  const model = ctx.db.model(CastSlate);
  const own = await model.findAll({ where: { channelId, state: 'READY' }, order: [['createdAt', 'DESC']] });
  const general = await model.findAll({ where: { channelId: null, state: 'READY' } });
  if (general.length === 0) await requestDefaultSlate(ctx);
  const now = ctx.clock.now();
  const needed = own.filter(({ neededUntil }) => neededUntil > now);
  const withNext = needed.filter(({ showsUntil }) => showsUntil !== null);
  return [...withNext, ...needed.filter(({ showsUntil }) => showsUntil === null), ...general];
}

/** Fewer programs than this can begin before slates are requested again. */
const maxPrograms = 200;

/** Current and coming programs of a channel, in order of time, with the fields for slates. */
async function programsForSlates(ctx: Context, channelId: string, now: Date): Promise<SlateProgram[]> {
  return ctx.db.rows<SlateProgram>(
    `SELECT program.starts_at, program.ends_at, program.type, program.title, program.failure_key, program.offset_seconds,
            CASE WHEN content.state = 'READY' THEN content.duration_ms / 1000.0::float8 END AS content_seconds
       FROM cast_programs program
       LEFT JOIN box_items item ON item.id = program.box_item_id
       LEFT JOIN contents content ON content.id = item.content_id
      WHERE program.channel_id = $channelId AND program.ends_at > $now AND program.starts_at > $oldest
      ORDER BY program.starts_at LIMIT $maxPrograms`,
    { channelId, now, oldest: new Date(now.getTime() - maxProgramMs - 60_000), maxPrograms },
  );
}

/** Identifies the layout of the default slate. */
const defaultDigest = 'default-1';
const always = new Date(0);
const never = new Date('9999-12-31T00:00:00Z');

/**
 * Requests the default slate, for channels without a slate of their own. Does nothing while it is stored or waiting. If its
 * files are missing from the storage, or it has failed, a new slate with another id replaces it: the files of an id never
 * change.
 */
export async function requestDefaultSlate(ctx: Context): Promise<void> {
  const known = await ctx.db.model(CastSlate).findOne({ where: { channelId: null, digest: defaultDigest } });
  if (known?.state === 'WAITING' || (known && (await isStored(ctx, known)))) return;
  const id = randomUUID();
  await ctx.db.transaction(async (tx) => {
    if (known) await ctx.db.model(CastSlate).destroy({ where: { id: known.id }, transaction: tx });
    const inserted = await ctx.db.rows<{ id: string }>(
      `INSERT INTO cast_slates (id, channel_id, digest, lines, shows_from, state, folder, needed_until, created_at)
       VALUES ($id, NULL, $digest, '[]', $always, 'WAITING', $folder, $never, $now)
       ON CONFLICT (digest) WHERE channel_id IS NULL DO NOTHING RETURNING id`,
      { id, digest: defaultDigest, folder: newPreparedFolder(id), always, never, now: ctx.clock.now() },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      prepareCast,
      inserted.map((payload) => ({ payload })),
    );
  });
}

async function isStored(ctx: Context, { folder, renditions }: CastSlate): Promise<boolean> {
  const files = renditions?.flatMap((rendition) => [rendition.map, ...rendition.files]) ?? [];
  for (const file of [files[0], files.at(-1)])
    if (file === undefined || (await ctx.storage.stat(castFileKey(folder, file))) === null) return false;
  return true;
}
