import { randomUUID } from 'node:crypto';
import Joi from 'joi';
import type { OpenContext } from '../../../shared/context.js';
import { defineJob } from '../../../shared/platform/job.js';
import type { Figure } from '../figure.js';
import { redisUrl } from '../redis.js';
import { openBenchContext } from '../service.js';
import { sideBySide } from '../sideBySide.js';
import type { Stage } from '../stage.js';

interface Payload {
  readonly id: string;
}

/** A job like any other; nobody serves its queue here, so that only its way into the queue is measured. */
const job = defineJob({
  name: 'bench.job',
  queue: 'mail',
  payload: Joi.object<Payload, true>({ id: Joi.string().uuid().required() }),
  key: ({ id }: Payload) => id,
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: 60_000,
});

/** Callers at once, on both sides: as many as a web process has database connections. */
const callers = 10;

const method =
  `${callers} callers at once, each adding one job after the other. Ours: a transaction with \`outbox.add\` for each job, until every job ` +
  'is in the queue and the outbox is empty, with payload check, identity and retention. Beside it: `queue.add` of the same ' +
  'payload, one job a call, with no options. Nobody serves the queue.';

export const outboxOnPostgres: Figure = {
  name: 'outbox-postgres',
  title: 'Jobs through the outbox, against raw `queue.add`: BullMQ on PostgreSQL',
  target: { atLeast: 0.7 },
  method,
  measure: async (stage) => measure(stage, await stage.settings()),
};

export const outboxOnRedis: Figure = {
  name: 'outbox-redis',
  title: 'Jobs through the outbox, against raw `queue.add`: BullMQ on Redis',
  target: { atLeast: 0.7 },
  method,
  async measure(stage) {
    const prefix = `bench-${randomUUID()}`;
    return measure(stage, await stage.settings({ REDIS_URL: await redisUrl(stage), QUEUE_PREFIX: prefix }));
  },
};

async function measure(stage: Stage, environment: Readonly<Record<string, string>>) {
  const ctx = openBenchContext(stage, environment);
  const queue = queueOf(ctx);
  const count = stage.quick ? 500 : 3_000;
  /** A queue of thousands is no slower than an empty one, but both sides are to begin with the same. */
  const rate = async (add: (id: string) => Promise<unknown>, settled: () => Promise<void>): Promise<number> => {
    await queue.obliterate({ force: true });
    const start = performance.now();
    await inTurns(count, () => add(randomUUID()));
    await settled();
    const seconds = (performance.now() - start) / 1000;
    const waiting = await queue.getWaitingCount();
    if (waiting !== count) throw new Error(`${waiting} of ${count} jobs are in the queue`);
    return count / seconds;
  };
  stage.ends.add(() => queue.obliterate({ force: true }));
  return sideBySide({
    unit: 'jobs/s',
    warmUps: 1,
    rounds: stage.quick ? 2 : 7,
    ours: () =>
      rate(
        (id) => ctx.db.transaction((tx) => ctx.outbox.add(tx, job, { id })),
        () => emptied(ctx),
      ),
    reference: () =>
      rate(
        (id) => queue.add(job.name, { id }),
        async () => {},
      ),
    onProgress: stage.onProgress,
  });
}

function queueOf(ctx: OpenContext) {
  const queue = ctx.queues.all().find(({ name }) => name === job.queue);
  if (!queue) throw new Error(`there is no queue ${job.queue}`);
  return queue;
}

/** Does work `count` times, by `callers` at once. */
async function inTurns(count: number, work: () => Promise<unknown>): Promise<void> {
  let begun = 0;
  const call = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
}

/** Publishes what is left, and waits for what is being published. */
async function emptied(ctx: OpenContext): Promise<void> {
  for (;;) {
    await ctx.outbox.publish();
    const [row] = await ctx.db.rows<{ waiting: boolean }>('SELECT EXISTS (SELECT FROM outbox) AS waiting');
    if (!row?.waiting) return;
  }
}
