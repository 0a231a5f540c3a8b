import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { CastAiring } from './cast.model.js';
import { airingEnd, type Airing } from './playout/index.js';

const attributes = ['sequence', 'discontinuity', 'startsAt', 'durations', 'programId', 'source'] as const;

/** The airings of a channel between two times of its clock (microseconds since 1970), in order. */
export function airingsBetween(
  ctx: Context,
  { channelId, from, until }: { readonly channelId: string; readonly from: number; readonly until: number },
): Promise<Airing[]> {
  return ctx.db.rows<Airing>(
    `SELECT sequence, discontinuity, starts_at, durations, program_id, source FROM cast_airings
      WHERE channel_id = $channelId AND ends_at > $from::bigint AND starts_at < $until::bigint ORDER BY sequence`,
    { channelId, from, until },
  );
}

/** The last airing of a channel; the next one continues its numbers. Null: the channel has never played. */
export function lastAiring(ctx: Context, channelId: string, tx?: Transaction): Promise<Airing | null> {
  const where = { channelId };
  return ctx.db.model(CastAiring).findOne({ where, attributes, order: [['sequence', 'DESC']], transaction: tx });
}

/** Stores consecutive airings, of which the first one may be a stored airing that has grown, and the new `decided_until`. */
export async function storeAirings(
  ctx: Context,
  tx: Transaction,
  channelId: string,
  airings: readonly Airing[],
  decidedUntil: number,
): Promise<void> {
  await ctx.db.change(
    `WITH stored AS (
       INSERT INTO cast_airings (channel_id, sequence, discontinuity, starts_at, ends_at, durations, program_id, source)
       SELECT $channelId, airing.sequence, airing.discontinuity, airing."startsAt", airing."endsAt", airing.durations, airing."programId", airing.source
         FROM jsonb_to_recordset($airings::jsonb) AS airing (sequence bigint, discontinuity bigint, "startsAt" bigint,
                "endsAt" bigint, durations jsonb, "programId" uuid, source jsonb)
       ON CONFLICT (channel_id, sequence) DO UPDATE SET durations = excluded.durations, ends_at = excluded.ends_at
     )
     UPDATE cast_playouts SET decided_until = $decidedUntil WHERE channel_id = $channelId`,
    {
      channelId,
      decidedUntil,
      airings: JSON.stringify(airings.map((airing) => ({ ...airing, endsAt: airingEnd(airing) }))),
    },
    tx,
  );
}
