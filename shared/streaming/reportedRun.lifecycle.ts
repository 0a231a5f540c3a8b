import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { countOpenRuns, endRun } from './liveRun.lifecycle.js';
import type { CountedRun } from './runSeconds.service.js';
import { LiveRun } from './streaming.model.js';

/*
 * Runs of an external server that itself serves the viewers (`LIVE_PLAYBACK_URL` without `LIVE_PULL_URL`). No process reads
 * the media, so a run has no lease: it is OPEN from its start hook (`offerRun`) to its end hook (`endRunOf`). If the server
 * dies and reports no end, a sweep ends the run.
 */

/** A run ends after this time without confirmation: nginx-rtmp confirms every 30 s (`notify_update_timeout`). */
const confirmedSeconds = 120;
/** Maximum duration of a run that was never confirmed, because its server sends no updates: that of the longest event. */
const maxSeconds = 24 * 3600;

/** Records the server's confirmation that the encoder still publishes. Does nothing for a pulled run. */
export async function confirmRun(ctx: Context, serverKey: string): Promise<void> {
  await ctx.db.change(
    "UPDATE live_runs SET last_media_at = $now WHERE server_key = $serverKey AND source = 'REPORTED' AND state = 'OPEN'",
    { serverKey, now: await databaseNow(ctx) },
  );
}

interface ReportedRun extends CountedRun {
  /** Time of the server's last confirmation; null: never. */
  readonly lastMediaAt: Date | null;
}

/**
 * Counts the streaming time of reported runs, and ends runs whose server no longer confirms them, whose maximum duration is over,
 * or whose owner has no streaming hours left. Resolves with the number of ended runs.
 */
export async function sweepReportedRuns(ctx: Context): Promise<number> {
  const runs: ReportedRun[] = await ctx.db.model(LiveRun).findAll({
    where: { state: 'OPEN', source: 'REPORTED' },
    attributes: ['id', 'ownerId', 'openedAt', 'countedSeconds', 'lastMediaAt'],
  });
  const now = await databaseNow(ctx);
  const open: ReportedRun[] = [];
  for (const run of runs) {
    const endedAt = endOf(run, now);
    if (endedAt) await endRun(ctx, { runId: run.id, reason: 'not confirmed by the streaming server', endedAt });
    else open.push(run);
  }
  const continued = await countOpenRuns(
    ctx,
    open.map((run) => ({ ...run, leaseOwner: null, until: run.lastMediaAt ?? now })),
  );
  return runs.length - continued.size;
}

/** End of an OPEN run whose confirmations or time have run out; null: it continues. */
function endOf({ openedAt, lastMediaAt }: ReportedRun, now: Date): Date | null {
  const age = (since: Date): number => (now.getTime() - since.getTime()) / 1000;
  if (lastMediaAt) return age(lastMediaAt) > confirmedSeconds ? lastMediaAt : null;
  return openedAt && age(openedAt) > maxSeconds ? new Date(openedAt.getTime() + maxSeconds * 1000) : null;
}
