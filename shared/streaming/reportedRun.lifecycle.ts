import type { Context } from '../platform/context.js';
import { databaseNow } from '../platform/database/databaseTime.js';
import { countOpenRuns, endRun } from './liveRun.lifecycle.js';
import type { CountedRun } from './runSeconds.service.js';
import { LiveRun } from './streaming.model.js';

/*
 * Runs of an external server that faces the viewers itself (`LIVE_PLAYBACK_URL` without `LIVE_PULL_URL`). No process reads
 * the media, so a run has no lease: it is open from the hook of its start (`offerRun`) to the hook of its end (`endRunOf`).
 * A server that dies reports no end. Then the run ends as described here.
 */

/** nginx-rtmp confirms a publication every 30 s (`notify_update_timeout`): four confirmations are missing. */
const confirmedSeconds = 120;
/** Of a run that was never confirmed, because its server sends no updates: the longest event. */
const maxSeconds = 24 * 3600;

/** The server reports that the encoder still publishes. Does nothing for a run that is pulled. */
export async function confirmRun(ctx: Context, serverKey: string): Promise<void> {
  await ctx.db.change(
    "UPDATE live_runs SET last_media_at = $now WHERE server_key = $serverKey AND source = 'REPORTED' AND state = 'OPEN'",
    { serverKey, now: await databaseNow(ctx) },
  );
}

interface ReportedRun extends CountedRun {
  /** When the server last confirmed it; null: never. */
  readonly lastMediaAt: Date | null;
}

/**
 * Counts the streaming time of these runs, and ends those whose server does not confirm them any more, whose time is over, or
 * whose owner has no streaming hours left. Resolves with the number of those that have ended.
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
  const goOn = await countOpenRuns(
    ctx,
    open.map((run) => ({ ...run, leaseOwner: null, until: run.lastMediaAt ?? now })),
  );
  return runs.length - goOn.size;
}

/** When a run that is open has ended; null: it has not. */
function endOf({ openedAt, lastMediaAt }: ReportedRun, now: Date): Date | null {
  const age = (since: Date): number => (now.getTime() - since.getTime()) / 1000;
  if (lastMediaAt) return age(lastMediaAt) > confirmedSeconds ? lastMediaAt : null;
  return openedAt && age(openedAt) > maxSeconds ? new Date(openedAt.getTime() + maxSeconds * 1000) : null;
}
