import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenContext } from '../../shared/openContext.js';
import type { Context } from '../../shared/platform/context.js';
import type { RunClaim } from '../../shared/streaming/liveRun.lifecycle.js';
import { offerRun } from '../../shared/streaming/offeredRun.lifecycle.js';
import { storeLiveSegment, type SegmentNumbers } from '../../shared/streaming/segment.service.js';
import { claimStream } from '../../shared/streaming/streamPath.service.js';
import { startLive, type LiveProcess } from '../../workers/live/liveProcess.js';
import type { packageRun } from '../../workers/live/packaging/packageRun.js';
import type { BenchContext } from './benchContext.js';
import { insertOwner } from './catalogue.js';
import { openBenchContext } from './service.js';

export const liveProcesses = 25;
const runsOfProcess = 40;
export const rowRuns = liveProcesses * runsOfProcess;
export const rowSegmentMs = 2_000;

/** Live processes that package nothing, and write the rows of segments. */
export interface RowWriters {
  readonly environment: Readonly<Record<string, string>>;
  readonly ctx: OpenContext;
  readonly ownerId: string;
  /** Rows written until now. */
  written(): number;
  /** Ends all runs. Resolves with the number of those that had lost their lease before. */
  close(): Promise<number>;
}

interface WriterState {
  running: number;
  written: number;
  lost: number;
  isEnding: boolean;
}

/** Starts all live processes with their runs. Resolves when each run has written its first row. */
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
    const streamId = await createBenchStream(ctx, ownerId);
    const pullUrl = `rtmp://127.0.0.1/${streamId}`;
    await offerRun(ctx, { streamId, ownerId, serverKey: randomUUID(), pullUrl, clientAddress: null });
  }
  while (state.running < rowRuns) await sleep(100);
  return {
    ...{ environment, ctx, ownerId },
    written: () => state.written,
    async close() {
      state.isEnding = true;
      await Promise.all(started.map((live) => live.close()));
      return state.lost;
    },
  };
}

/** A packager that writes rows of segments, and no media. */
function packRows(state: WriterState): typeof packageRun {
  return async ({ ctx, run, signal, onMedia, onStored }) => {
    state.running += 1;
    for (let segment = 0; !signal.aborted; segment++) {
      if ((await storeRow(ctx, run)) === null) break;
      state.written += 1;
      onMedia?.(new Date(), (segment + 1) * 1_000_000);
      onStored?.({ encoding: 0, segment });
      await sleep(rowSegmentMs, undefined, { signal }).catch(() => {});
    }
    if (!state.isEnding) state.lost += 1;
    return { reason: 'ended' };
  };
}

export async function createBenchStream(ctx: OpenContext, ownerId: string): Promise<string> {
  const id = randomUUID();
  await ctx.db.transaction((tx) => claimStream(ctx, tx, { id, ownerId, kind: 'LIVE_CHANNEL', path: id }));
  return id;
}

/** Stores the row of a segment of a run whose files nobody has written. */
export function storeRow(ctx: Context, { runId, leaseOwner }: RunClaim): Promise<SegmentNumbers | null> {
  const renditions = ['720p', '480p', '240p'].map((name) => ({
    ...{ name, file: `${name}-${randomUUID()}.m4s`, map: `${name}.mp4`, bytes: 500_000 },
  }));
  return storeLiveSegment(ctx, {
    ...{ runId, leaseOwner, startsAt: new Date(), durationMicroseconds: rowSegmentMs * 1000, renditions },
  });
}
