import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import type { Transaction } from '../platform/database/database.js';
import type { RefusedEncoder } from './refusedEncoder.js';
import { LiveStream } from './streaming.model.js';

/** Minimum interval between writes of the same refusal: some encoders reconnect every second. */
const writtenEverySeconds = 10;

/** A refused encoder: the user code and stream path that it sent. */
export interface RefusedPublication extends Omit<RefusedEncoder, 'at'> {
  readonly userCode: string;
  /** Null: the encoder was refused before it named a stream. The refusal is then shown on all streams of the user. */
  readonly streamPath: string | null;
}

/**
 * Records a refused encoder and the reason, to be shown to the stream's owner. One value per stream; writes nothing if the stream
 * does not belong to the user. Never rejects, because the encoder is refused in any case.
 */
export async function recordRefusedEncoder(
  ctx: Pick<Context, 'db' | 'databaseTime' | 'log'>,
  { userCode, streamPath, ...refusal }: RefusedPublication,
): Promise<void> {
  try {
    const now = await databaseNow(ctx);
    const refused: RefusedEncoder = { ...refusal, at: now.toISOString() };
    await ctx.db.change(
      `UPDATE live_streams stream SET refused_encoder = $refused::jsonb
         FROM users owner
        WHERE owner.id = stream.owner_id AND lower(owner.user_code) = lower($userCode)
          AND stream.path IS NOT NULL AND ($streamPath::text IS NULL OR stream.path = $streamPath)
          AND (stream.refused_encoder IS NULL OR stream.refused_encoder ->> 'reason' <> $reason
               OR (stream.refused_encoder ->> 'at')::timestamptz < $writtenBefore::timestamptz)`,
      {
        ...{ userCode, streamPath, reason: refusal.reason, refused: JSON.stringify(refused) },
        writtenBefore: new Date(now.getTime() - writtenEverySeconds * 1000),
      },
    );
  } catch (err) {
    ctx.log.warn({ err }, 'refused encoder not recorded');
  }
}

/** Clears the refusal of a stream when an encoder publishes. */
export async function clearRefusedEncoder(ctx: Context, tx: Transaction, streamId: string): Promise<void> {
  await ctx.db.change(
    'UPDATE live_streams SET refused_encoder = NULL WHERE id = $streamId AND refused_encoder IS NOT NULL',
    { streamId },
    tx,
  );
}

/** The last refused encoder of a stream; null: none since the last publication. */
export async function refusedEncoderOf(ctx: Context, streamId: string): Promise<RefusedEncoder | null> {
  const stream = await ctx.db.model(LiveStream).findByPk(streamId, { attributes: ['refusedEncoder'] });
  return stream?.refusedEncoder ?? null;
}
