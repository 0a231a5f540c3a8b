import { queueRecordings } from '../../shared/live/recording.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { claimSweep } from '../../shared/platform/database/sweepPosition.js';
import { isMigrated } from '../../shared/platform/database/schemaState.js';
import { sweepRuns } from '../../shared/streaming/runSweep.service.js';
import { createLiveMetrics } from './liveMetrics.js';
import { LiveRuns } from './liveRuns.js';
import { packageRun } from './packaging/packageRun.js';
import { startPartServer } from './lowLatency/partServer.js';
import { publishDecisions } from './publishDecisions.js';
import { claimOffered, markConnected } from '../../shared/streaming/offeredRun.lifecycle.js';
import { newLeaseOwner } from '../../shared/platform/lease/index.js';
import { pullSource } from './publicationSource.js';
import { exceptAfterFailure, repeat } from './repeat.js';
import { startRtmpServers } from './rtmpServers.js';

const claimEveryMs = 1_000;
const sweepEveryMs = 3_000;
const recordEveryMs = 1_000;
/** Share of the pause for which a sweep is claimed. Timers are not exact, and the same process should run the next sweep. */
const claimedShare = 0.9;
/** Number of pauses that a process skips if another process has claimed the sweep. */
const skippedPauses = 4;

export interface LiveProcess {
  /** Port of the RTMP server. */
  readonly port: number;
  /**
   * Accepts no more publications and ends those in progress, storing their last segments. Encoders reconnect, to another process or
   * after the restart; another process claims the publications of external servers. Resolves when all have ended, or after
   * `deadlineMs`.
   */
  close(deadlineMs?: number): Promise<void>;
}

/**
 * Accepts publications of encoders, claims those that external servers offer, packages them, and ends the sessions of encoders that
 * have not returned. Queues the recordings of past events. Rejects with a message for the operator if a port cannot be opened.
 */
export async function startLive(ctx: Context, pack = packageRun): Promise<LiveProcess> {
  const metrics = createLiveMetrics(ctx.metrics);
  const parts = await startPartServer(ctx);
  const runs = new LiveRuns({ ctx, metrics, pack, parts });
  const servers = await startRtmpServers(ctx, {
    ...publishDecisions(ctx, runs),
    onRefused: () => metrics.countRefusal(),
  }).catch(async (error: unknown) => {
    await parts?.close();
    throw error;
  });
  /** Runs a sweep in only one of all live processes. */
  const onOneProcess = (sweep: string, everyMs: number, work: () => Promise<unknown>) => {
    let skipped = 0;
    return async (): Promise<void> => {
      if (skipped > 0) skipped -= 1;
      else if (await claimSweep(ctx, sweep, (everyMs / 1000) * claimedShare)) await work();
      else skipped = skippedPauses;
    };
  };
  const sweep = onOneProcess('live.runs', sweepEveryMs, () => sweepRuns(ctx));
  const record = onOneProcess('live.recordings', recordEveryMs, () => queueRecordings(ctx));
  const stops = [
    repeat(
      sweepEveryMs,
      exceptAfterFailure(sweep, () => isMigrated(ctx.db)),
      onError('runs not swept'),
    ),
    repeat(recordEveryMs, record, onError('recordings not queued')),
  ];
  // Without this setting, external servers offer no publications.
  if (ctx.config.live.pullUrl !== null)
    stops.push(repeat(claimEveryMs, () => claimOffers(ctx, runs), onError('offered publications not read')));
  function onError(message: string): (err: unknown) => void {
    return (err) => ctx.log.warn({ err }, message);
  }
  return {
    port: servers.port,
    async close(deadlineMs = 7_500) {
      await Promise.all(stops.map((stop) => stop()));
      const ended = runs.close(deadlineMs);
      await servers.close();
      await ended;
      await parts?.close();
    },
  };
}

/** Claims publications that external servers offer, and those whose process has ended, as far as stream slots are free. */
async function claimOffers(ctx: Context, runs: LiveRuns): Promise<void> {
  for (let slot = runs.reserve(null); slot; slot = runs.reserve(null)) {
    const leaseOwner = newLeaseOwner();
    const claimed = await claimOffered(ctx, leaseOwner, runs.partsUrl).catch((error: unknown) => {
      slot?.release();
      throw error;
    });
    if (!claimed) return slot.release();
    const { runId, pullUrl: url } = claimed;
    const onConnected = (): void =>
      void markConnected(ctx, { runId, leaseOwner }).catch((err: unknown) =>
        ctx.log.warn({ err }, 'connected state not recorded'),
      );
    runs.serve({ ...claimed, leaseOwner }, pullSource({ url, onConnected }, ctx.config.live.reconnectSeconds), slot);
  }
}
