import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { OpenContext } from '../../../shared/openContext.js';
import { queueRecordings } from '../../../shared/live/recording.lifecycle.js';
import { newLeaseOwner } from '../../../shared/platform/lease.js';
import { openRun, renewRuns, type RunClaim } from '../../../shared/streaming/liveRun.lifecycle.js';
import { sweepRuns } from '../../../shared/streaming/runSweep.service.js';
import type { BenchContext } from '../benchContext.js';
import type { Figure } from '../figure.js';
import { createBenchStream, liveProcesses, rowRuns, rowSegmentMs, startRowWriters, storeRow } from '../liveRows.js';

const measuredSeconds = 60;

interface Load {
  readonly commits: number;
  readonly statements: number;
  readonly segments: number;
}

export const liveRowsFigure: Figure = {
  name: 'live-rows',
  title: `Commits for each segment of ${rowRuns.toLocaleString('en-US')} live runs in ${liveProcesses} live processes, against one lease renewal for each run and polls of each process`,
  target: { atMost: 0.5 },
  method:
    `The live process as it is, ${liveProcesses} times with ${rowRuns / liveProcesses} runs, but with a packager that only stores the row of a segment every two ` +
    'seconds. Reference: the same rows, a renewal of each run every two seconds, and in each process a sweep every three seconds and a look at ' +
    'recordings every second. Commits as PostgreSQL counts them, over a minute, for each segment that was written meanwhile: a side that a slow ' +
    'machine keeps waiting writes fewer segments. No lease may be lost.',
  async measure(bench) {
    const writers = await startRowWriters(bench);
    const ours = await measureLoad(writers.ctx, () => writers.written());
    const lost = await writers.close();
    if (lost > 0) throw new Error(`${lost} leases were lost`);
    bench.onProgress(50);
    const reference = await loadOfSingleRenewals(bench, writers.ctx, writers.ownerId);
    const commits = { ours: ours.commits / ours.segments, reference: reference.commits / reference.segments };
    return {
      ...{ ...commits, unit: 'commits', result: commits.ours / commits.reference },
      note: `a second ${secondOf(ours)}, against ${secondOf(reference)}`,
    };
  },
};

function secondOf(load: Load): string {
  const [commits, statements, segments] = [load.commits, load.statements, load.segments].map((count) =>
    Math.round(count / measuredSeconds),
  );
  return `${commits} commits and ${statements} statements for ${segments} segments`;
}

async function loadOfSingleRenewals(bench: BenchContext, ctx: OpenContext, ownerId: string): Promise<Load> {
  const held: RunClaim[] = [];
  for (let run = 0; run < rowRuns; run++) {
    const [streamId, leaseOwner] = [await createBenchStream(ctx, ownerId), newLeaseOwner()];
    const opened = await openRun(ctx, { streamId, ownerId, source: 'RTMP', leaseOwner, clientAddress: null });
    held.push({ runId: opened.runId, leaseOwner });
    // Leases last ten seconds, and a thousand runs take longer to open.
    if (run % 200 === 199)
      await renewRuns(
        ctx,
        held.map((one) => ({ ...one, lastMediaAt: null, receivedBytes: 0 })),
      );
  }
  let stored = 0;
  const storeSegment = async (run: RunClaim): Promise<void> => {
    await storeRow(ctx, run);
    stored += 1;
  };
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
      every(rowSegmentMs, () => storeSegment(run)),
      every(2_000, () => renewRuns(ctx, [{ ...run, lastMediaAt: new Date(), receivedBytes: 1 }])),
    ]),
    ...Array.from({ length: liveProcesses }, () => [
      every(3_000, () => sweepRuns(ctx)),
      every(1_000, () => queueRecordings(ctx)),
    ]).flat(),
  ];
  await sleep(5_000);
  const load = await measureLoad(ctx, () => stored);
  ending.abort();
  await Promise.all(loops);
  bench.onProgress(100);
  return load;
}

/** What this process asks of the database in a minute, and how many segments it writes. */
async function measureLoad(ctx: OpenContext, written: () => number): Promise<Load> {
  const counter = countStatements();
  const before = { commits: await commitsOf(ctx), segments: written() };
  await sleep(measuredSeconds * 1000);
  const [statements, segments] = [counter.stop(), written() - before.segments];
  // Each connection reports its commits about once a second.
  await sleep(1_500);
  const commits = (await commitsOf(ctx)) - before.commits;
  return { commits: (commits * measuredSeconds) / (measuredSeconds + 1.5), statements, segments };
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
