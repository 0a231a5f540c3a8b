import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';
import { extendChannel } from './playout.jobs.js';
import { longestProgramMs } from './programming/program.queries.js';
import { preparedSeconds } from './wantedCuts.queries.js';

/**
 * An airing is kept this long after it was shown: addresses of its segments expire before. Its files are needed as long
 * (`retained.queries.ts`).
 */
export const airingsKeptSeconds = 45 * 60;

/** Queues `cast.extend` for the channels with a program on air or soon. Resolves with their number. */
export async function queueExtensions(ctx: Context): Promise<number> {
  const now = ctx.clock.now().getTime();
  const soon = now + preparedSeconds * 1000;
  return ctx.db.transaction(async (tx) => {
    const channels = await ctx.db.rows<{ channelId: string }>(
      `SELECT DISTINCT channel_id FROM cast_programs
        WHERE starts_at < $soon AND ends_at > $now AND ends_at < $latest`,
      { now: new Date(now), soon: new Date(soon), latest: new Date(soon + longestProgramMs) },
      tx,
    );
    await ctx.outbox.addMany(
      tx,
      extendChannel,
      channels.map((payload) => ({ payload })),
    );
    return channels.length;
  });
}

/**
 * Removes the airings that no viewer can need. The last airing of a channel that exists stays, because its numbers go on. Resolves with the
 * number of those removed.
 */
export async function removeOldAirings(ctx: Context, signal: AbortSignal): Promise<number> {
  return deleteInBatches(
    ctx,
    `DELETE FROM cast_airings WHERE (channel_id, sequence) IN (
       SELECT airing.channel_id, airing.sequence FROM cast_airings airing
        WHERE airing.ends_at < $before::bigint
          AND (airing.sequence < (SELECT max(last.sequence) FROM cast_airings last WHERE last.channel_id = airing.channel_id)
               OR NOT EXISTS (SELECT 1 FROM cast_playouts playout WHERE playout.channel_id = airing.channel_id))
        LIMIT $batchRows)`,
    { before: (ctx.clock.now().getTime() - airingsKeptSeconds * 1000) * 1000 },
    signal,
  );
}
