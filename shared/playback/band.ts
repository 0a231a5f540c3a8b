import { recordBand } from '../license/band.service.js';
import type { Context } from '../platform/context.js';

/** Bytes sent to viewers by this process and not yet written, by user code of the publisher. */
type Unwritten = Map<string, number>;

const flushMilliseconds = 10_000;

/** One count for each database that bytes are written to; the counter belongs to the context, not to the module. */
const counts = new WeakMap<Context['db'], Unwritten>();

/**
 * Counts bytes on a publisher's license, in memory: serving a segment writes nothing. A process that is killed loses
 * what it counted since the last flush, ten seconds at most; a flush whose answer is lost is written again. So the
 * count can be short or long by ten seconds of one process, and never by more.
 */
export function countBand(ctx: Context, publisherCode: string, bytes: number): void {
  const unwritten = unwrittenOf(ctx);
  unwritten.set(publisherCode, (unwritten.get(publisherCode) ?? 0) + bytes);
}

/** Writes what has been counted, all publishers in one statement. What cannot be written is kept for the next time. */
export async function flushBand(ctx: Context): Promise<void> {
  const unwritten = unwrittenOf(ctx);
  if (unwritten.size === 0) return;
  const taken = new Map(unwritten);
  unwritten.clear();
  try {
    await recordBand(ctx, await byUserId(ctx, taken));
  } catch (error) {
    for (const [publisherCode, bytes] of taken) countBand(ctx, publisherCode, bytes);
    throw error;
  }
}

/** Flushes every ten seconds; the function it returns stops that, after a last flush. */
export function startBandCounter(ctx: Context): () => Promise<void> {
  let flushing: Promise<void> = Promise.resolve();
  const flush = (): Promise<void> => {
    flushing = flushing
      .then(() => flushBand(ctx))
      .catch((error: unknown) => ctx.log.error({ err: error }, 'the band used was not written'));
    return flushing;
  };
  const timer = setInterval(() => void flush(), flushMilliseconds);
  timer.unref();
  return () => {
    clearInterval(timer);
    return flush();
  };
}

/** A code that is nobody's any more counts on nobody. */
async function byUserId(ctx: Context, byCode: Unwritten): Promise<Map<string, number>> {
  const users = await ctx.db.rows<{ id: string; code: string }>(
    `SELECT users.id, asked.code FROM unnest($codes::text[]) AS asked (code) JOIN users ON lower(users.user_code) = lower(asked.code)`,
    { codes: [...byCode.keys()] },
  );
  return new Map(users.map(({ id, code }) => [id, byCode.get(code) ?? 0]));
}

function unwrittenOf(ctx: Context): Unwritten {
  const known = counts.get(ctx.db);
  if (known) return known;
  const fresh: Unwritten = new Map();
  counts.set(ctx.db, fresh);
  return fresh;
}
