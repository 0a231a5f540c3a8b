import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenContext } from '../../shared/openContext.js';
import { offerRun } from '../../shared/streaming/offeredRun.lifecycle.js';
import { storeLiveSegment } from '../../shared/streaming/segment.service.js';
import { claimStream } from '../../shared/streaming/streamPath.service.js';
import { startLive, type LiveProcess } from '../../workers/live/liveProcess.js';
import type { packageRun } from '../../workers/live/packaging/packageRun.js';
import type { BenchContext } from './benchContext.js';
import { insertOwner } from './catalogue.js';
import { openBenchContext } from './service.js';

export const liveProcesses = 25;
const runsOfProcess = 40;
export const rowRuns = liveProcesses * runsOfProcess;
const segmentMs = 2_000;

/** Live processes that store rows of segments without media. */
export interface RowWriters {
  readonly ctx: OpenContext;
  /** The number of stored rows. */
  readonly written: () => number;
  /** Ends all runs. Resolves with the number of runs that had lost their lease. */
  readonly close: () => Promise<number>;
}

interface WriterState {
  running: number;
  written: number;
  lost: number;
  isEnding: boolean;
}

/** Starts all live processes with their runs. Resolves when each run has a packager. */
export async function startRowWriters(bench: BenchContext): Promise<RowWriters> {
  const environment = await bench.settings({
    ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: String(runsOfProcess) },
    LIVE_PULL_URL: 'rtmp://127.0.0.1/{streamPath}',
  });
  const ctx = await openBenchContext(bench, environment);
  await ctx.db.change('UPDATE license_plans SET streaming_amount = 0');
  const ownerId = await insertOwner(ctx);
  const state: WriterState = { running: 0, written: 0, lost: 0, isEnding: false };
  const pack = packRows(state);
  const started: LiveProcess[] = [];
  for (let process = 0; process < liveProcesses; process++)
    started.push(await startLive(await openBenchContext(bench, environment), pack));
  for (let run = 0; run < rowRuns; run++) {
    const streamId = randomUUID();
    await ctx.db.transaction((tx) =>
      claimStream(ctx, tx, { id: streamId, ownerId, kind: 'LIVE_CHANNEL', path: streamId }),
    );
    const pullUrl = `rtmp://127.0.0.1/${streamId}`;
    await offerRun(ctx, { streamId, ownerId, serverKey: randomUUID(), pullUrl, clientAddress: null });
  }
  while (state.running < rowRuns) await sleep(100);
  return {
    ctx,
    written: () => state.written,
    async close() {
      state.isEnding = true;
      await Promise.all(started.map((live) => live.close()));
      return state.lost;
    },
  };
}

/** A packager that stores the row of a segment every two seconds. */
function packRows(state: WriterState): typeof packageRun {
  return async ({ ctx, run: { runId, leaseOwner }, signal, onMedia, onStored }) => {
    state.running += 1;
    for (let segment = 0; !signal.aborted; segment++) {
      const renditions = ['720p', '480p', '240p'].map((name) => ({
        ...{ name, file: `${name}-${randomUUID()}.m4s`, map: `${name}.mp4`, bytes: 500_000 },
      }));
      const row = { runId, leaseOwner, startsAt: new Date(), durationMicroseconds: segmentMs * 1000, renditions };
      if ((await storeLiveSegment(ctx, row)) === null) break;
      state.written += 1;
      onMedia?.(new Date(), (segment + 1) * 1_000_000);
      onStored?.({ encoding: 0, segment });
      await sleep(segmentMs, undefined, { signal }).catch(() => {});
    }
    if (!state.isEnding) state.lost += 1;
    return { reason: 'ended' };
  };
}
