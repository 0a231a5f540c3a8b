import { queueRecordings } from '../../shared/live/recording.lifecycle.js';
import type { Context } from '../../shared/platform/context.js';
import { isMigrated } from '../../shared/platform/database/schemaState.js';
import { sweepRuns } from '../../shared/streaming/sweep.service.js';
import { createLiveMetrics } from './liveMetrics.js';
import { LiveRuns } from './liveRuns.js';
import { packageRun } from './packaging/packageRun.js';
import { startPartServer } from './lowLatency/partServer.js';
import { publishDecisions } from './publishDecisions.js';
import { claimOffers } from './pull.js';
import { exceptAfterFailure, repeat } from './repeat.js';
import { startRtmpServers } from './rtmpServers.js';

const claimEveryMs = 1_000;
const sweepEveryMs = 3_000;
const recordEveryMs = 1_000;

export interface LiveProcess {
  /** Of the RTMP server. */
  readonly port: number;
  /**
   * Takes no more publications and ends those in progress: their last segments are stored. Encoders connect again, to another
   * process or to the next start; publications of external servers go to another process. Resolves when all have ended, or
   * after `deadlineMs`.
   */
  close(deadlineMs?: number): Promise<void>;
}

/**
 * Takes publications of encoders, and those that external servers offer, packages them, and ends the sessions of encoders
 * that have not returned. Queues the recordings of events that are over. Rejects with a message for the operator where a port
 * cannot be opened.
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
  const stops = [
    repeat(claimEveryMs, () => claimOffers(ctx, runs), onError('offered publications not read')),
    repeat(
      sweepEveryMs,
      exceptAfterFailure(
        () => sweepRuns(ctx),
        () => isMigrated(ctx.db),
      ),
      onError('runs not swept'),
    ),
    repeat(recordEveryMs, () => queueRecordings(ctx), onError('recordings not queued')),
  ];
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
