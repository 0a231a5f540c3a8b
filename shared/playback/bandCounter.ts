import { recordBand } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';

/** Bytes by user code of the publisher. */
export type BytesByPublisher = Map<string, number>;

/** Bytes that this process has sent to viewers and not yet written to the database. */
export const unwrittenBand = contextPart((): BytesByPublisher => new Map());

const flushMilliseconds = 10_000;

/**
 * Counts bytes on a publisher's license, in memory, so that serving a segment writes nothing. A process that is killed
 * loses what it counted since the last flush. A flush whose response is lost is written again. So the count is wrong by
 * ten seconds of one process at most.
 */
export function countBand(ctx: Context, publisherCode: string, bytes: number): void {
  const unwritten = unwrittenBand(ctx);
  unwritten.set(publisherCode, (unwritten.get(publisherCode) ?? 0) + bytes);
}

/** Writes the counts of all publishers in one statement. If that fails, they are kept for the next flush. */
export async function flushBand(ctx: Context): Promise<void> {
  const unwritten = unwrittenBand(ctx);
  if (unwritten.size === 0) return;
  const taken = new Map(unwritten);
  unwritten.clear();
  try {
    await recordBand(ctx, await publisherIds(ctx, taken));
  } catch (error) {
    for (const [publisherCode, bytes] of taken) countBand(ctx, publisherCode, bytes);
    throw error;
  }
}

/** Flushes every ten seconds. The returned function ends that, after a last flush. */
export function startBandCounter(ctx: Context): () => Promise<void> {
  let flushing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    flushing = flushing
      .then(() => flushBand(ctx))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'writing the used band failed'));
    return flushing;
  };
  const timer = setInterval(() => void flush(), flushMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
    return flush();
  };
}

/** Bytes by the id of the publisher. Those of a user code that no user has any more are dropped. */
export async function publisherIds(ctx: Context, bytesByCode: BytesByPublisher): Promise<Map<string, number>> {
  const users = await ctx.db.rows<{ id: string; code: string }>(
    `SELECT users.id, sent.code FROM unnest($codes::text[]) AS sent (code) JOIN users ON lower(users.user_code) = lower(sent.code)`,
    { codes: [...bytesByCode.keys()] },
  );
  return new Map(users.map(({ id, code }) => [id, bytesByCode.get(code) ?? 0]));
}
