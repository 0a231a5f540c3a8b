import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { CastChannel, CastSlate } from './cast.model.js';
import { newPreparedFolder } from './preparation.lifecycle.js';
import { prepareCast } from './preparation.jobs.js';
import { slatesFor, type WantedSlate } from './slatePlan.js';
import { programsForSlates } from './slate.queries.js';

const day = 24 * 3_600_000;
/** A slate that shows no next program is kept for this long after it was last wanted. */
const keptMilliseconds = 30 * day;
const renewedMilliseconds = 15 * day;
/** A loop that has begun before the end of a slate is played to its end. */
const loopMilliseconds = 60_000;

/**
 * Has the slates made that a channel can need in the next minutes: one with its name only, and one for each coming program
 * before which there is time to fill, with its start and title. What is stored is not made again; a slate that is no longer
 * right is not shown any more. Idempotent, and no write where nothing is new.
 */
export async function wantSlates(ctx: Context, channelId: string): Promise<void> {
  const channel = await ctx.db.model(CastChannel).findByPk(channelId);
  if (!channel) return;
  const now = ctx.clock.now();
  const wanted = slatesFor(channel, await programsForSlates(ctx, channelId, now), now);
  const known = await ctx.db.model(CastSlate).findAll({ where: { channelId } });
  const missing = wanted.filter((slate) => !known.some((row) => isSame(row, slate, now)));
  const outdated = known.filter((row) => isOutdated(row, wanted, known, now));
  if (missing.length === 0 && outdated.length === 0) return;
  await ctx.db.transaction(async (tx) => {
    await saveSlates(ctx, tx, channelId, missing);
    await ctx.db.change(
      'UPDATE cast_slates SET shows_until = $now, needed_until = least(needed_until, $until) WHERE id = ANY($ids::uuid[])',
      { ids: outdated.map(({ id }) => id), now, until: new Date(now.getTime() + day) },
      tx,
    );
  });
}

function isSame(row: CastSlate, { digest, showsFrom, showsUntil }: WantedSlate, now: Date): boolean {
  return (
    row.digest === digest &&
    row.showsFrom.getTime() === showsFrom.getTime() &&
    row.showsUntil?.getTime() === showsUntil?.getTime() &&
    (showsUntil !== null || row.neededUntil.getTime() > now.getTime() + renewedMilliseconds)
  );
}

/** Whether a slate would be shown that is not right. The one with the old name is shown until the one with the new name is stored. */
function isOutdated(row: CastSlate, wanted: readonly WantedSlate[], known: readonly CastSlate[], now: Date): boolean {
  if (wanted.some(({ digest }) => digest === row.digest)) return false;
  if (row.showsUntil !== null) return row.showsUntil > now;
  return known.some(({ state, digest }) => state === 'READY' && digest === wanted[0]?.digest);
}

async function saveSlates(
  ctx: Context,
  tx: Transaction,
  channelId: string,
  slates: readonly WantedSlate[],
): Promise<void> {
  const now = ctx.clock.now();
  for (const { digest, lines, thumbnailId, showsFrom, showsUntil } of slates) {
    const id = randomUUID();
    const neededUntil = showsUntil
      ? new Date(showsUntil.getTime() + loopMilliseconds)
      : new Date(now.getTime() + keptMilliseconds);
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
