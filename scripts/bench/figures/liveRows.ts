import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { OpenContext } from '../../../shared/context.js';
import type { Context } from '../../../shared/platform/context.js';
import { queueRecordings } from '../../../shared/live/recording.lifecycle.js';
import { newLeaseOwner } from '../../../shared/platform/lease.js';
import { openRun, renewRuns, type RunHolder } from '../../../shared/streaming/liveRun.lifecycle.js';
import { offerRun } from '../../../shared/streaming/offeredRun.lifecycle.js';
import { storeLiveSegment, type SegmentNumbers } from '../../../shared/streaming/segment.service.js';
import { claimStream } from '../../../shared/streaming/streamPath.service.js';
import { sweepRuns } from '../../../shared/streaming/sweep.service.js';
import { startLive } from '../../../workers/live/liveProcess.js';
import type { packageRun } from '../../../workers/live/packaging/packageRun.js';
import type { BenchContext } from '../benchContext.js';
import { insertOwner } from '../catalogue.js';
import type { Figure } from '../figure.js';
import { openBenchContext } from '../service.js';

const processes = 25;
const runsOfProcess = 40;
const runs = processes * runsOfProcess;
const segmentMs = 2_000;
const measuredSeconds = 60;

interface Load {
  readonly commits: number;
  readonly statements: number;
}

export const liveRowsFigure: Figure = {
  name: 'live-rows',
  title: `Commits a second of ${runs.toLocaleString('en-US')} live runs in ${processes} live processes, against one lease renewal for each run and polls of each process`,
  target: { atMost: 0.5 },
  method:
    `The live process as it is, ${processes} times with ${runsOfProcess} runs, but with a packager that only stores the row of a segment every two ` +
    'seconds. Reference: the same rows, a renewal of each run every two seconds, and in each process a sweep every three seconds and a look at ' +
    'recordings every second. Commits as PostgreSQL counts them, over a minute. No lease may be lost.',
  async measure(bench) {
    const environment = await bench.settings({
      ...{ RTMP_HOST: '127.0.0.1', RTMP_PORT: '0', LIVE_CONCURRENCY: String(runsOfProcess) },
      LIVE_PULL_URL: 'rtmp://127.0.0.1/{streamPath}',
    });
    const ctx = await openBenchContext(bench, environment);
    await ctx.db.change('UPDATE license_plans SET streaming_amount = 0');
    const ownerId = await insertOwner(ctx);
    const ours = await loadOfProcesses(bench, environment, ctx, ownerId);
    bench.onProgress(50);
    const reference = await loadOfSingleRenewals(bench, ctx, ownerId);
    const perSecond = (count: number): number => count / measuredSeconds;
    return {
      ...{ ours: perSecond(ours.commits), reference: perSecond(reference.commits), unit: 'commits/s' },
      result: ours.commits / reference.commits,
      note: `${Math.round(perSecond(ours.statements))} statements a second against ${Math.round(perSecond(reference.statements))}`,
    };
  },
};

async function createStream(ctx: OpenContext, ownerId: string): Promise<string> {
  const id = randomUUID();
  await ctx.db.transaction((tx) => claimStream(ctx, tx, { id, ownerId, kind: 'LIVE_CHANNEL', path: id }));
  return id;
}

async function loadOfProcesses(
  bench: BenchContext,
  environment: Readonly<Record<string, string>>,
  ctx: OpenContext,
  ownerId: string,
): Promise<Load> {
  const state = { running: 0, lost: 0, isEnding: false };
  const pack = packRows(state);
  const started = [];
  for (let process = 0; process < processes; process++)
    started.push(await startLive(await openBenchContext(bench, environment), pack));
  for (let run = 0; run < runs; run++) {
    const streamId = await createStream(ctx, ownerId);
    const pullUrl = `rtmp://127.0.0.1/${streamId}`;
    await offerRun(ctx, { streamId, ownerId, serverKey: randomUUID(), pullUrl, clientAddress: null });
  }
  while (state.running < runs) await sleep(100);
  const load = await loadDuring(ctx, () => sleep(measuredSeconds * 1000));
  state.isEnding = true;
  if (state.lost > 0) throw new Error(`${state.lost} leases were lost`);
  await Promise.all(started.map((live) => live.close()));
  return load;
}

/** A packager that writes rows of segments, and no media. */
function packRows(state: { running: number; lost: number; readonly isEnding: boolean }): typeof packageRun {
  return async ({ ctx, run, signal, onMedia, onStored }) => {
    state.running += 1;
    for (let segment = 0; !signal.aborted; segment++) {
      if ((await storeRow(ctx, run)) === null) break;
      onMedia?.(new Date(), (segment + 1) * 1_000_000);
      onStored?.({ encoding: 0, segment });
      await sleep(segmentMs, undefined, { signal }).catch(() => {});
    }
    if (!state.isEnding) state.lost += 1;
    return { reason: 'ended' };
  };
}

function storeRow(ctx: Context, { runId, leaseOwner }: RunHolder): Promise<SegmentNumbers | null> {
  const renditions = ['720p', '480p', '240p'].map((name) => ({
    ...{ name, file: `${name}-${randomUUID()}.m4s`, map: `${name}.mp4`, bytes: 500_000 },
  }));
  return storeLiveSegment(ctx, {
    ...{ runId, leaseOwner, startsAt: new Date(), durationMicroseconds: segmentMs * 1000, renditions },
  });
}

async function loadOfSingleRenewals(bench: BenchContext, ctx: OpenContext, ownerId: string): Promise<Load> {
  const held: RunHolder[] = [];
  for (let run = 0; run < runs; run++) {
    const [streamId, leaseOwner] = [await createStream(ctx, ownerId), newLeaseOwner()];
    const opened = await openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress: null });
    held.push({ runId: opened.runId, leaseOwner });
    // Leases last ten seconds, and a thousand runs take longer to open.
    if (run % 200 === 199)
      await renewRuns(
        ctx,
        held.map((one) => ({ ...one, lastMediaAt: null, receivedBytes: 0 })),
      );
  }
  const ending = new AbortController();
  setMaxListeners(0, ending.signal);
  const every = async (pauseMs: number, work: () => Promise<unknown>): Promise<void> => {
    await sleep(Math.random() * pauseMs);
    while (!ending.signal.aborted) {
      await work();
      await sleep(pauseMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const loops = [
    ...held.flatMap((run) => [
      every(segmentMs, () => storeRow(ctx, run)),
      every(2_000, () => renewRuns(ctx, [{ ...run, lastMediaAt: new Date(), receivedBytes: 1 }])),
    ]),
    ...Array.from({ length: processes }, () => [
      every(3_000, () => sweepRuns(ctx)),
      every(1_000, () => queueRecordings(ctx)),
    ]).flat(),
  ];
  await sleep(5_000);
  const load = await loadDuring(ctx, () => sleep(measuredSeconds * 1000));
  ending.abort();
  await Promise.all(loops);
  bench.onProgress(100);
  return load;
}

/** What this process asks of the database meanwhile. */
async function loadDuring(ctx: OpenContext, work: () => Promise<unknown>): Promise<Load> {
  const counter = countStatements();
  const before = await commitsOf(ctx);
  await work();
  // Each connection reports its commits about once a second.
  await sleep(1_500);
  const commits = (await commitsOf(ctx)) - before;
  return { commits: (commits * measuredSeconds) / (measuredSeconds + 1.5), statements: counter.stop() };
}

async function commitsOf(ctx: OpenContext): Promise<number> {
  const [row] = await ctx.db.rows<{ commits: number }>(
    'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.commits ?? 0;
}

function countStatements(): { readonly stop: () => number } {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
  const { query } = prototype;
  let count = 0;
  prototype.query = function (this: unknown, ...parameters) {
    count += 1;
    return query.apply(this, parameters);
  };
  return {
    stop() {
      prototype.query = query;
      return count;
    },
  };
}
