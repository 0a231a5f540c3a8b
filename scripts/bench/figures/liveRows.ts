import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { OpenContext } from '../../../shared/context.js';
import { queueRecordings } from '../../../shared/live/recording.lifecycle.js';
import { newLeaseOwner } from '../../../shared/platform/lease.js';
import { openRun, renewRuns, type RunHolder } from '../../../shared/streaming/liveRun.lifecycle.js';
import { sweepRuns } from '../../../shared/streaming/sweep.service.js';
import type { BenchContext } from '../benchContext.js';
import type { Figure } from '../figure.js';
import { createBenchStream, liveProcesses, rowRuns, rowSegmentMs, startRowWriters, storeRow } from '../liveRows.js';

const measuredSeconds = 60;

interface Load {
  readonly commits: number;
  readonly statements: number;
}

export const liveRowsFigure: Figure = {
  name: 'live-rows',
  title: `Commits a second of ${rowRuns.toLocaleString('en-US')} live runs in ${liveProcesses} live processes, against one lease renewal for each run and polls of each process`,
  target: { atMost: 0.5 },
  method:
    `The live process as it is, ${liveProcesses} times with ${rowRuns / liveProcesses} runs, but with a packager that only stores the row of a segment every two ` +
    'seconds. Reference: the same rows, a renewal of each run every two seconds, and in each process a sweep every three seconds and a look at ' +
    'recordings every second. Commits as PostgreSQL counts them, over a minute. No lease may be lost.',
  async measure(bench) {
    const writers = await startRowWriters(bench);
    const ours = await loadDuring(writers.ctx, () => sleep(measuredSeconds * 1000));
    const lost = await writers.close();
    if (lost > 0) throw new Error(`${lost} leases were lost`);
    bench.onProgress(50);
    const reference = await loadOfSingleRenewals(bench, writers.ctx, writers.ownerId);
    const perSecond = (count: number): number => count / measuredSeconds;
    return {
      ...{ ours: perSecond(ours.commits), reference: perSecond(reference.commits), unit: 'commits/s' },
      result: ours.commits / reference.commits,
      note: `${Math.round(perSecond(ours.statements))} statements a second against ${Math.round(perSecond(reference.statements))}`,
    };
  },
};

async function loadOfSingleRenewals(bench: BenchContext, ctx: OpenContext, ownerId: string): Promise<Load> {
  const held: RunHolder[] = [];
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
      every(rowSegmentMs, () => storeRow(ctx, run)),
      every(2_000, () => renewRuns(ctx, [{ ...run, lastMediaAt: new Date(), receivedBytes: 1 }])),
    ]),
    ...Array.from({ length: liveProcesses }, () => [
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
