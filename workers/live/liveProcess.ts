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
/** Of a pause: timers are not exact, and the same process shall have the next turn. */
const turnPart = 0.9;
/** A process that has found the turn taken asks again after so many more pauses: who has it does the work. */
const leftOutTurns = 4;

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
  /** Of all live processes, one does the work. */
  const inTurn = (sweep: string, everyMs: number, work: () => Promise<unknown>) => {
    let leftOut = 0;
    return async (): Promise<void> => {
      if (leftOut > 0) leftOut -= 1;
      else if (await claimSweep(ctx, sweep, (everyMs / 1000) * turnPart)) await work();
      else leftOut = leftOutTurns;
    };
  };
  const sweep = inTurn('live.runs', sweepEveryMs, () => sweepRuns(ctx));
  const record = inTurn('live.recordings', recordEveryMs, () => queueRecordings(ctx));
  const stops = [
    repeat(
      sweepEveryMs,
      exceptAfterFailure(sweep, () => isMigrated(ctx.db)),
      onError('runs not swept'),
    ),
    repeat(recordEveryMs, record, onError('recordings not queued')),
  ];
  // Without this setting nobody offers a publication.
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

/** Takes publications that external servers offer, and those whose process has ended, while there are places. */
async function claimOffers(ctx: Context, runs: LiveRuns): Promise<void> {
  for (let place = runs.reserve(null); place; place = runs.reserve(null)) {
    const leaseOwner = newLeaseOwner();
    const claimed = await claimOffered(ctx, leaseOwner, runs.partsUrl).catch((error: unknown) => {
      place?.release();
      throw error;
    });
    if (!claimed) return place.release();
    const { runId, pullUrl: url } = claimed;
    const onConnected = (): void =>
      void markConnected(ctx, { runId, leaseOwner }).catch((err: unknown) =>
        ctx.log.warn({ err }, 'connection not written'),
      );
    runs.serve({ ...claimed, leaseOwner }, pullSource({ url, onConnected }, ctx.config.live.reconnectSeconds), place);
  }
}
