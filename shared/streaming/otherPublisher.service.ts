import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';

/*
 * A second encoder of a stream is rejected while the first one sends media, and takes over when the first one is silent: after
 * a network failure, an encoder reconnects while its old connection still looks open. Only the receiving process knows the
 * exact time of the last media; other processes read it from the run's row, which is up to four seconds behind
 * (`liveRun.lifecycle.ts`). The second encoder therefore waits for the decision. Received media of the first encoder that is
 * not stored yet is lost when its run is replaced: its process may only store segments of an open run.
 */

/** An encoder is silent after this time without media. Longer than the delay of a run's row. */
export const silentAfterMs = 6_000;
/** Media that arrives within this time after the second encoder may have been in transit, and does not count. */
const onItsWayMs = 1_000;
/** A pulled run has no media before its first keyframe, which may take two keyframe intervals. */
export const pullBeginsMs = 20_000;
const pollMs = 500;

/** Reception state of a run in the process that packages it. */
export interface EncoderReception {
  readonly hasLeft: boolean;
  /** Time of the last media, on this machine's clock; null before the first media. */
  readonly lastMediaAt: Date | null;
}

/** The active run of another encoder. */
export interface OtherRun {
  readonly id: string;
  readonly source: 'RTMP' | 'PULL' | 'REPORTED';
  /** Time since its last media, or since its start if there is none. */
  readonly silentMs: number;
  readonly hasMedia: boolean;
  /** Its encoder has disconnected, and its last segments are being stored. */
  readonly hasLeft: boolean;
  /** This process packages the run, so all values are exact. */
  readonly isPackagedHere: boolean;
}

interface SilenceOptions {
  /** The server key of the second encoder. */
  readonly ownKey?: string | null;
  readonly receptionOf?: (runId: string) => EncoderReception | null;
  /** Also waits until the last segments of a disconnected encoder are stored, or until `signal` aborts. */
  readonly untilStored?: { readonly signal: AbortSignal; readonly onWait: (runId: string) => void };
}

/**
 * Waits, for at most seven seconds, until it is known whether another encoder sends media to a stream. Resolves with `isSending`,
 * or with the run that may be replaced; null: there is none.
 */
export async function awaitSilence(
  ctx: Context,
  streamId: string,
  { ownKey = null, receptionOf = () => null, untilStored }: SilenceOptions = {},
): Promise<{ readonly isSending: true } | { readonly isSending: false; readonly silentRunId: string | null }> {
  const startedAt = performance.now();
  let waitsFor: string | null = null;
  for (;;) {
    const other = await otherRunOf(ctx, streamId, ownKey, receptionOf);
    const sends = other ? sendsMedia(other, performance.now() - startedAt) : false;
    if (sends === true) return { isSending: true };
    const isBeingStored = other?.hasLeft === true && untilStored?.signal.aborted === false;
    if (sends === false && !isBeingStored) return { isSending: false, silentRunId: other?.id ?? null };
    if (isBeingStored && waitsFor !== other.id) untilStored.onWait((waitsFor = other.id));
    await sleep(pollMs);
  }
}

/** Whether the encoder of a run sends media, `waitedMs` after the second one has connected. Null: not known yet. */
export function sendsMedia(run: OtherRun, waitedMs: number): boolean | null {
  // The external server does not report media, and itself decides which encoder it accepts.
  if (run.hasLeft || run.source === 'REPORTED') return false;
  if (run.source === 'PULL' && !run.hasMedia) return run.silentMs < pullBeginsMs;
  if (run.silentMs < waitedMs - onItsWayMs) return true;
  // After a database outage, the row of the run is updated with a delay.
  const isKnown = run.isPackagedHere || waitedMs >= onItsWayMs;
  return isKnown && run.silentMs >= silentAfterMs ? false : null;
}

async function otherRunOf(
  ctx: Context,
  streamId: string,
  ownKey: string | null,
  receptionOf: (runId: string) => EncoderReception | null,
): Promise<OtherRun | null> {
  const [run] = await ctx.db.rows<Omit<OtherRun, 'isPackagedHere'>>(
    `SELECT id, source, last_media_at IS NOT NULL AS has_media, encoder_left_at IS NOT NULL AS has_left,
            (extract(epoch FROM $now::timestamptz - coalesce(last_media_at, opened_at, offered_at)) * 1000)::float8 AS silent_ms
       FROM live_runs
      WHERE stream_id = $streamId AND state IN ('OFFERED', 'OPEN') AND server_key IS DISTINCT FROM coalesce($ownKey, '')`,
    { streamId, ownKey, now: await databaseNow(ctx) },
  );
  if (!run) return null;
  const reception = receptionOf(run.id);
  if (!reception) return { ...run, isPackagedHere: false };
  const { hasLeft, lastMediaAt } = reception;
  const silentMs = lastMediaAt ? ctx.clock.now().getTime() - lastMediaAt.getTime() : run.silentMs;
  return { ...run, hasLeft, hasMedia: lastMediaAt !== null, silentMs, isPackagedHere: true };
}
