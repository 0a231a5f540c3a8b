import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { benchJob, timeOfDayMs } from '../benchJob.js';
import { medianOf, percentileOf, type Figure } from '../figure.js';
import { openBenchContext } from '../service.js';

const maxSeconds = 60;

export const jobStartFigure: Figure = {
  name: 'job-start',
  title: 'From the commit of a job to its start in a worker process, p95, PostgreSQL, idle system',
  target: { atMost: 20 },
  targetUnit: 'ms',
  reason: 'operate.md: a short job starts at once.',
  method:
    'One worker process with eight jobs at a time. The job does nothing. One job in a transaction, the next one after a pause. From the ' +
    'return of the commit.',
  async measure(bench) {
    const environment = await bench.settings({ WORKER_QUEUES: benchJob.queue, LOG_LEVEL: 'error' });
    const ctx = await openBenchContext(bench, environment);
    const startsPath = join(await bench.folder(), 'starts');
    await bench.start('tools/bench/reference/idleWorker.js', { ...environment, STARTS_PATH: startsPath });
    const count = bench.quick ? 20 : 300;
    const committedAt = new Map<string, number>();
    for (let job = 0; job < count; job += 1) {
      const id = randomUUID();
      await ctx.db.transaction((tx) => ctx.outbox.add(tx, benchJob, { id }));
      committedAt.set(id, timeOfDayMs());
      // Pauses of different lengths, so that the jobs do not coincide with periodic work.
      await sleep(80 + ((job * 37) % 100));
      bench.onProgress(((job + 1) / count) * 100);
    }
    const starts = await readStarts(startsPath, count);
    const delays = starts.map(({ id, startedAt }) => startedAt - (committedAt.get(id) ?? Number.NaN));
    const result = percentileOf(delays, 0.95);
    const note = `${count} jobs, median ${medianOf(delays).toFixed(1)} ms`;
    return { unit: 'ms', ours: result, reference: null, result, note };
  },
};

/** Waits until the worker has started all jobs. */
async function readStarts(path: string, count: number): Promise<{ id: string; startedAt: number }[]> {
  for (const deadline = performance.now() + maxSeconds * 1000; performance.now() < deadline; await sleep(20)) {
    const lines = (await readFile(path, 'utf8').catch(() => '')).trim().split('\n');
    if (lines.length < count) continue;
    return lines.map((line) => {
      const [id = '', startedAt] = line.split(' ');
      return { id, startedAt: Number(startedAt) };
    });
  }
  throw new Error(`the jobs have not started within ${maxSeconds} s`);
}
