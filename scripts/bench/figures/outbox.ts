import { randomUUID } from 'node:crypto';
import type { Queue } from 'bullmq';
import type { OpenContext } from '../../../shared/openContext.js';
import { benchJob, untilPublished, type BenchPayload } from '../benchJob.js';
import type { Figure, Measured } from '../figure.js';
import { redisUrl } from '../redis.js';
import { openBenchContext } from '../service.js';
import { sideBySide } from '../sideBySide.js';
import type { BenchContext } from '../benchContext.js';

/** Concurrent transactions: as many as a web process has database connections. */
const callers = 10;
/** Jobs of one transaction that adds many, as ingestion does for the chunks of a video. */
const planned = 25;

const method =
  `Ours: a transaction with one \`outbox.add\` for each job, ${callers} concurrent transactions as in a busy web process, until every job is in ` +
  'the queue and the outbox is empty. Reference: raw `queue.add` of the same payload without options, one at a time, each awaited. ' +
  `In parentheses also the ratio for transactions of ${planned} jobs, one transaction at a time, and the ratio with ` +
  `${callers} concurrent calls of \`queue.add\` as well. No worker serves the queue.`;

export const outboxOnPostgresFigure: Figure = {
  name: 'outbox-postgres',
  title: 'Jobs through the outbox, against raw `queue.add`: BullMQ on PostgreSQL',
  target: { atLeast: 0.7 },
  method,
  measure: async (bench) => measure(bench, await bench.settings()),
};

export const outboxOnRedisFigure: Figure = {
  name: 'outbox-redis',
  title: 'Jobs through the outbox, against raw `queue.add`: BullMQ on Redis',
  target: { atLeast: 0.7 },
  method,
  async measure(bench) {
    const prefix = `bench-${randomUUID()}`;
    return measure(bench, await bench.settings({ REDIS_URL: await redisUrl(bench), QUEUE_PREFIX: prefix }));
  },
};

async function measure(bench: BenchContext, environment: Readonly<Record<string, string>>): Promise<Measured> {
  const ctx = await openBenchContext(bench, environment);
  const queue = queueOf(ctx);
  bench.cleanups.add(() => queue.obliterate({ force: true }));
  const count = bench.quick ? 500 : 3_000;
  const rate = createRate(queue, count, () => untilPublished(ctx));
  const raw = (atOnce: number) => () => rate(atOnce, 1, ([payload]) => queue.add(benchJob.name, payload));
  const outbox = (atOnce: number, jobs: number) => () =>
    rate(atOnce, jobs, (payloads) =>
      ctx.db.transaction((tx) =>
        ctx.outbox.addMany(
          tx,
          benchJob,
          payloads.map((payload) => ({ payload })),
        ),
      ),
    );
  const rounds = bench.quick ? 1 : 5;
  const compare = (ours: () => Promise<number>, reference: () => Promise<number>, part: number): Promise<Measured> =>
    sideBySide({
      ...{ unit: 'jobs/s', warmUps: 1, rounds, ours, reference },
      onProgress: (percent) => bench.onProgress((part * 100 + percent) / 3),
    });
  const single = await compare(outbox(callers, 1), raw(1), 0);
  const many = await compare(outbox(1, planned), raw(1), 1);
  const concurrent = await compare(outbox(callers, 1), raw(callers), 2);
  const others = `${planned} jobs a transaction ${many.result.toFixed(2)}, ${callers} callers on both sides ${concurrent.result.toFixed(2)}`;
  return { ...single, note: `${single.note}; ${others}` };
}

/**
 * Jobs per second, from an empty queue until all of them are in it. Each call of `add` adds `jobs` jobs, with `atOnce`
 * concurrent calls.
 */
function createRate(queue: Queue, count: number, settled: () => Promise<void>) {
  return async (atOnce: number, jobs: number, add: (payloads: BenchPayload[]) => Promise<unknown>): Promise<number> => {
    await queue.obliterate({ force: true });
    const start = performance.now();
    let begun = 0;
    const call = async (): Promise<void> => {
      while (begun < count) {
        begun += jobs;
        await add(Array.from({ length: jobs }, () => ({ id: randomUUID() })));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, call));
    await settled();
    const seconds = (performance.now() - start) / 1000;
    const waiting = await queue.getWaitingCount();
    if (waiting !== count) throw new Error(`${waiting} of ${count} jobs are in the queue`);
    return count / seconds;
  };
}

function queueOf(ctx: OpenContext): Queue {
  const queue = ctx.queues.all().find(({ name }) => name === benchJob.queue);
  if (!queue) throw new Error(`there is no queue ${benchJob.queue}`);
  return queue;
}
