import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { endOf, type Part } from './playout/part.js';

/** SQL: the columns of a part. */
const columns = 'sequence, discontinuity, starts_at, durations, program_id, source';

/** What a channel plays between two times of its clock (microseconds since 1970), in order. */
export function partsBetween(
  ctx: Context,
  { channelId, from, until }: { readonly channelId: string; readonly from: number; readonly until: number },
): Promise<Part[]> {
  return ctx.db.rows<Part>(
    `SELECT ${columns} FROM cast_parts
      WHERE channel_id = $channelId AND ends_at > $from::bigint AND starts_at < $until::bigint ORDER BY sequence`,
    { channelId, from, until },
  );
}

/** The part whose numbers the next one follows. Null: the channel has never played. */
export async function lastPart(ctx: Context, channelId: string, tx?: Transaction): Promise<Part | null> {
  const [part] = await ctx.db.rows<Part>(
    `SELECT ${columns} FROM cast_parts WHERE channel_id = $channelId ORDER BY sequence DESC LIMIT 1`,
    { channelId },
    tx,
  );
  return part ?? null;
}

/** Stores parts that follow each other, of which the first one may have grown; and up to when it is decided. */
export async function storeParts(
  ctx: Context,
  tx: Transaction,
  channelId: string,
  parts: readonly Part[],
  decidedUntil: number,
): Promise<void> {
  await ctx.db.change(
    `WITH stored AS (
       INSERT INTO cast_parts (channel_id, sequence, discontinuity, starts_at, ends_at, durations, program_id, source)
       SELECT $channelId, part.sequence, part.discontinuity, part."startsAt", part."endsAt", part.durations, part."programId", part.source
         FROM jsonb_to_recordset($parts::jsonb) AS part (sequence bigint, discontinuity bigint, "startsAt" bigint,
                "endsAt" bigint, durations jsonb, "programId" uuid, source jsonb)
       ON CONFLICT (channel_id, sequence) DO UPDATE SET durations = excluded.durations, ends_at = excluded.ends_at
     )
     UPDATE cast_playouts SET decided_until = $decidedUntil WHERE channel_id = $channelId`,
    {
      channelId,
      decidedUntil,
      parts: JSON.stringify(parts.map((part) => ({ ...part, endsAt: endOf(part) }))),
    },
    tx,
  );
}
