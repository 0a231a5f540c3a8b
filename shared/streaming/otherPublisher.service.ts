import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';

/*
 * A second encoder of a stream. It is refused while the first one sends media, and takes over when the first one is silent: an
 * encoder whose network broke returns although its old connection still looks open. Media counts where it arrives, and
 * other processes read of it in the row of the run, which is up to four seconds behind (`liveRun.lifecycle.ts`). The second encoder
 * therefore waits for the answer. Media of the first one that has arrived and is not stored yet is lost when its run is replaced:
 * its process may store segments of an open run only.
 */

/** An encoder without media for this long is silent. Longer than the row of a run is behind. */
export const silentAfterMs = 6_000;
/** Media that was on its way when the second encoder came is no sign of life: only media that arrives so much later is. */
const onItsWayMs = 1_000;
/** A run that is pulled has no media before its first keyframe, which may take two keyframe intervals. */
export const pullBeginsMs = 20_000;
const pollMs = 500;

/** What a process knows of a run that it packages itself. */
export interface EncoderReception {
  readonly hasLeft: boolean;
  /** When media arrived last, by the clock of this machine; null before the first. */
  readonly lastMediaAt: Date | null;
}

/** The active run of a stream, as the second encoder sees it. */
export interface OtherRun {
  readonly id: string;
  readonly source: 'RTMP' | 'PULL' | 'REPORTED';
  /** Since its last media; before the first, since its beginning. */
  readonly silentMs: number;
  readonly hasMedia: boolean;
  /** Its encoder has disconnected, and its last segments are being stored. */
  readonly hasLeft: boolean;
  /** This process packages it, so that all of this is exact. */
  readonly isHere: boolean;
}

interface SilenceOptions {
  /** The server key of the encoder that asks. */
  readonly ownKey?: string | null;
  readonly receptionOf?: (runId: string) => EncoderReception | null;
  /** Also waits until the last segments of an encoder that has left are stored, or until `signal` aborts. */
  readonly untilStored?: { readonly signal: AbortSignal; readonly onWait: (runId: string) => void };
}

/**
 * Waits until it is known whether another encoder sends media to a stream, seven seconds at most. Resolves with `isSending`, or with
 * the run that may be replaced; null: there is none.
 */
export async function awaitSilence(
  ctx: Context,
  streamId: string,
  { ownKey = null, receptionOf = () => null, untilStored }: SilenceOptions = {},
): Promise<{ readonly isSending: true } | { readonly isSending: false; readonly silentRunId: string | null }> {
  const askedAt = performance.now();
  let waitsFor: string | null = null;
  for (;;) {
    const other = await otherRunOf(ctx, streamId, ownKey, receptionOf);
    const sends = other ? sendsMedia(other, performance.now() - askedAt) : false;
    if (sends === true) return { isSending: true };
    const isBeingStored = other?.hasLeft === true && untilStored?.signal.aborted === false;
    if (sends === false && !isBeingStored) return { isSending: false, silentRunId: other?.id ?? null };
    if (isBeingStored && waitsFor !== other.id) untilStored.onWait((waitsFor = other.id));
    await sleep(pollMs);
  }
}

/** Whether the encoder of a run sends media, so long after the second one has come. Null: not known yet. */
export function sendsMedia(run: OtherRun, waitedMs: number): boolean | null {
  // The external server reports no media. Which encoder it takes, it decides itself.
  if (run.hasLeft || run.source === 'REPORTED') return false;
  if (run.source === 'PULL' && !run.hasMedia) return run.silentMs < pullBeginsMs;
  if (run.silentMs < waitedMs - onItsWayMs) return true;
  // After an outage of the database, the process that has the run is a moment behind.
  const isKnown = run.isHere || waitedMs >= onItsWayMs;
  return isKnown && run.silentMs >= silentAfterMs ? false : null;
}

async function otherRunOf(
  ctx: Context,
  streamId: string,
  ownKey: string | null,
  receptionOf: (runId: string) => EncoderReception | null,
): Promise<OtherRun | null> {
  const [run] = await ctx.db.rows<Omit<OtherRun, 'isHere'>>(
    `SELECT id, source, last_media_at IS NOT NULL AS has_media, encoder_left_at IS NOT NULL AS has_left,
            (extract(epoch FROM $now::timestamptz - coalesce(last_media_at, opened_at, offered_at)) * 1000)::float8 AS silent_ms
       FROM live_runs
      WHERE stream_id = $streamId AND state IN ('OFFERED', 'OPEN') AND server_key IS DISTINCT FROM coalesce($ownKey, '')`,
    { streamId, ownKey, now: await databaseNow(ctx) },
  );
  if (!run) return null;
  const reception = receptionOf(run.id);
  if (!reception) return { ...run, isHere: false };
  const { hasLeft, lastMediaAt } = reception;
  const silentMs = lastMediaAt ? ctx.clock.now().getTime() - lastMediaAt.getTime() : run.silentMs;
  return { ...run, hasLeft, hasMedia: lastMediaAt !== null, silentMs, isHere: true };
}
