import { recordBand } from '../license/band.service.js';
import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';

/** Bytes by user code of the publisher. */
export type BytesByPublisher = Map<string, number>;

/** Bytes that this process has sent to viewers and has not yet written to the database. */
export const unwrittenBand = contextPart((): BytesByPublisher => new Map());

const flushMilliseconds = 10_000;

/**
 * Adds bytes to a publisher's band, in memory, so that serving a segment writes nothing. A killed process loses the bytes
 * since its last flush; a flush whose response is lost is written again. The error is at most ten seconds of one process.
 */
export function countBand(ctx: Context, publisherCode: string, bytes: number): void {
  const unwritten = unwrittenBand(ctx);
  unwritten.set(publisherCode, (unwritten.get(publisherCode) ?? 0) + bytes);
}

/** Writes the counts of all publishers in one statement. If the statement fails, the next flush writes the counts. */
export async function flushBand(ctx: Context): Promise<void> {
  const unwritten = unwrittenBand(ctx);
  if (unwritten.size === 0) return;
  const flushed = new Map(unwritten);
  unwritten.clear();
  try {
    await recordBand(ctx, await publisherIds(ctx, flushed));
  } catch (error) {
    for (const [publisherCode, bytes] of flushed) countBand(ctx, publisherCode, bytes);
    throw error;
  }
}

/** Flushes every ten seconds. The returned function stops the timer after a last flush. */
export function startBandCounter(ctx: Context): () => Promise<void> {
  let flushing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    flushing = flushing
      .then(() => flushBand(ctx))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'band flush failed'));
    return flushing;
  };
  const timer = setInterval(() => void flush(), flushMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
    return flush();
  };
}

/** Converts to bytes by publisher id. Drops the bytes of user codes that no longer exist. */
export async function publisherIds(ctx: Context, bytesByCode: BytesByPublisher): Promise<Map<string, number>> {
  const users = await ctx.db.rows<{ id: string; code: string }>(
    `SELECT users.id, sent.code FROM unnest($codes::text[]) AS sent (code) JOIN users ON lower(users.user_code) = lower(sent.code)`,
    { codes: [...bytesByCode.keys()] },
  );
  return new Map(users.map(({ id, code }) => [id, bytesByCode.get(code) ?? 0]));
}
