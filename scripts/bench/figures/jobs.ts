import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { concurrencyOf } from '../../../workers/runtime/queueConcurrency.js';
import type { BenchContext, Process } from '../benchContext.js';
import { benchJob, untilPublished } from '../benchJob.js';
import { medianOf, percentileOf, type Figure } from '../figure.js';
import { graphilePackages, loadGraphile } from '../graphileWorker.js';
import { installPackages } from '../packages.js';
import { openBenchContext } from '../service.js';
import { sideBySide } from '../sideBySide.js';
import { readStarts, timeOfDayMs, type StartTimes } from '../startTimes.js';

/** Our queues or the reference, on one database. */
interface JobSide {
  /** Adds jobs in a transaction and commits it. */
  add(ids: readonly string[]): Promise<unknown>;
  /** Resolves when a worker can take every job that was added. */
  settled(): Promise<unknown>;
  /** Starts a worker process. `starts` resolves when `count` jobs have begun. */
  work(count: number): Promise<{ readonly process: Process; readonly starts: () => Promise<StartTimes> }>;
}

const together =
  'One worker process of each, with eight jobs at a time, on the same PostgreSQL. The job does nothing. ';

export const jobsExecutedFigure: Figure = {
  name: 'jobs-executed',
  title: 'Jobs that do nothing, executed by one worker process on PostgreSQL, against graphile-worker',
  target: { atLeast: 1 },
  method:
    `${together}All jobs are queued before; from the start of the first to the start of the last. Reference: npm \`graphile-worker\` with its ` +
    'defaults. It deletes a job that has ended; ours keep its result for operators, and an event.',
  async measure(bench) {
    const { ours, reference } = await openSides(bench);
    const count = bench.quick ? 500 : 4_000;
    const rate = (side: JobSide) => async (): Promise<number> => {
      await side.add(Array.from({ length: count }, () => randomUUID()));
      await side.settled();
      const { process, starts } = await side.work(count);
      const times = Object.values(await starts());
      await process.stop();
      return ((count - 1) / (Math.max(...times) - Math.min(...times))) * 1000;
    };
    return sideBySide({
      ...{ unit: 'jobs/s', warmUps: 1, rounds: bench.quick ? 1 : 5, ours: rate(ours), reference: rate(reference) },
      onProgress: bench.onProgress,
    });
  },
};

export const jobStartFigure: Figure = {
  name: 'job-start',
  title: 'From the commit of a job to its start in a worker process, p95, PostgreSQL, idle system',
  target: { atMost: 20 },
  targetUnit: 'ms',
  method:
    `${together}One job in a transaction, the next one when it has begun and a pause has passed. From the return of the commit. "Reference": npm ` +
    '`graphile-worker` in the same run, one job of each by turns.',
  async measure(bench) {
    const { ours, reference } = await openSides(bench);
    const count = bench.quick ? 20 : 300;
    const sides = [ours, reference];
    const running = await Promise.all(sides.map((side) => side.work(count)));
    const commits = sides.map((): [id: string, at: number][] => []);
    for (let job = 0; job < count; job += 1) {
      for (const [position, side] of sides.entries()) {
        const id = randomUUID();
        await side.add([id]);
        commits[position]?.push([id, timeOfDayMs()]);
        // Pauses of different lengths, so that the jobs are not synchronous with periodic work.
        await sleep(40 + ((job * 37) % 50));
      }
      bench.onProgress(((job + 1) / count) * 100);
    }
    const delays = await Promise.all(
      running.map(async ({ starts }, position) => {
        const begun = await starts();
        return (commits[position] ?? []).map(([id, at]) => (begun[id] ?? Number.NaN) - at);
      }),
    );
    const [own = [], other = []] = delays;
    const result = percentileOf(own, 0.95);
    const note = `${count} jobs, median ${medianOf(own).toFixed(1)} ms against ${medianOf(other).toFixed(1)} ms`;
    return { unit: 'ms', ours: result, reference: percentileOf(other, 0.95), result, note };
  },
};

async function openSides(bench: BenchContext): Promise<{ ours: JobSide; reference: JobSide }> {
  const environment = await bench.settings();
  const ctx = await openBenchContext(bench, environment);
  const folder = await installPackages(bench, graphilePackages);
  const graphile = await loadGraphile(folder).makeWorkerUtils({ connectionString: ctx.config.database.url });
  await graphile.migrate();
  await graphile.release();
  const settings = {
    ...environment,
    ...{ WORKER_QUEUES: benchJob.queue, LOG_LEVEL: 'error' },
    ...{ PACKAGES: folder, CONCURRENCY: String(concurrencyOf(ctx.config, benchJob.queue)) },
  };
  const sideOf = (entry: string, side: Omit<JobSide, 'work'>): JobSide => ({
    ...side,
    async work(count) {
      const path = join(await bench.folder(), 'starts.json');
      const noted = { STARTS_PATH: path, STARTS_COUNT: String(count) };
      const process = await bench.start(`scripts/bench/reference/${entry}.js`, { ...settings, ...noted });
      return { process, starts: () => readStarts(path) };
    },
  });
  const jobsOf = (ids: readonly string[]) => ids.map((id) => ({ payload: { id } }));
  const addToReference = (tx: Transaction, ids: readonly string[]): Promise<unknown> =>
    ctx.db.rows(
      `SELECT graphile_worker.add_job('idle', json_build_object('id', id)) FROM unnest($ids::text[]) AS job (id)`,
      { ids },
      tx,
    );
  return {
    ours: sideOf('idleWorker', {
      add: (ids) => ctx.db.transaction((tx) => ctx.outbox.addMany(tx, benchJob, jobsOf(ids))),
      settled: () => untilPublished(ctx),
    }),
    reference: sideOf('graphileWorker', {
      add: (ids) => ctx.db.transaction((tx) => addToReference(tx, ids)),
      settled: async () => {},
    }),
  };
}
