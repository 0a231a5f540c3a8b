import { expect } from 'chai';
import Joi from 'joi';
import type { Queue } from 'bullmq';
import { defineJob, OutboxJob, type Job } from '../../shared/platform/queue/index.js';
import type { EnqueueOptions } from '../../shared/platform/queue/job.js';
import { handledBy, type ExhaustedHandler, type Handler } from '../../workers/runtime/jobTypes.js';
import { openTestContext, type TestContext } from './context.js';
import { eventually } from './eventually.js';
import { closeAtEnd, exemptFromLeakCheck } from './testFaults.js';
import { startWorkers } from './workers.js';
import { abandonSeconds } from '../../workers/runtime/attempt.js';
import { concurrencyOf } from '../../workers/runtime/queueConcurrency.js';
import { maxAbandoned } from '../../workers/runtime/worker.js';
import { storedRows } from './rows.js';

export interface Note {
  readonly id: string;
  readonly text?: string;
}

export type Backend = 'postgres' | 'redis';

type Fields = Partial<Pick<Job<string, Note>, 'repeats' | 'attempts' | 'backoffMs' | 'timeoutMs'>>;

/** A small test job on the queue `mail`. */
export const noteJob = (fields: Fields = {}) =>
  defineJob({
    name: 'test.note',
    queue: 'mail',
    payload: Joi.object<Note, true>({ id: Joi.string().required(), text: Joi.string() }),
    key: ({ id }: Note) => `note-${id}`,
    attempts: 3,
    backoffMs: 10,
    timeoutMs: 10_000,
    ...fields,
  });

/** As many handlers may be abandoned as run concurrently. */
const limits = [
  [abandonSeconds, 1],
  [maxAbandoned, concurrencyOf({} as never, 'mail')],
] as const;

/** One context per backend, for all files of a mocha process. */
const contexts = new Map<Backend, Promise<TestContext>>();

/** The fixture of a queue contract: one context, the queue of the small job, and the runtime. */
export class QueueHarness {
  private readonly stops: (() => Promise<void>)[] = [];

  private constructor(readonly ctx: TestContext) {}

  static async open(backend: Backend): Promise<QueueHarness> {
    const redisUrl = backend === 'redis' ? (process.env['TEST_REDIS_URL'] ?? '') : '';
    // Other mocha processes use the same Redis.
    const clusterNodes = redisUrl ? (process.env['TEST_REDIS_CLUSTER_NODES'] ?? '') : '';
    const settings = {
      ...{ REDIS_URL: redisUrl, REDIS_CLUSTER_NODES: clusterNodes },
      ...{ QUEUE_PREFIX: `harness${process.pid}`, WORKER_LOCK_SECONDS: '2' },
    };
    const context = contexts.get(backend) ?? exemptFromLeakCheck(() => openTestContext(settings, { limits }));
    if (!contexts.has(backend)) closeAtEnd(async () => (await context).close());
    contexts.set(backend, context);
    return new QueueHarness(await context);
  }

  get queue(): Queue {
    return this.ctx.queues.all().find(({ name }) => name === 'mail') as Queue;
  }

  /** Resolves with a function that stops the worker; `close` also stops it. */
  async serve(
    job: Job<string, Note>,
    run: Handler<Note>,
    { onTooManyAbandoned, ...options }: { onExhausted?: ExhaustedHandler<Note>; onTooManyAbandoned?: () => void } = {},
  ): Promise<() => Promise<void>> {
    const handled = handledBy(job, run, options);
    const workers = await startWorkers(this.ctx, {
      ...{ queues: ['mail'], handlers: { [job.name]: handled } },
      ...(onTooManyAbandoned ? { onTooManyAbandoned } : {}),
    });
    this.endsWith(workers.close);
    return workers.close;
  }

  endsWith(stop: () => Promise<void>): void {
    this.stops.push(stop);
  }

  add(job: Job<string, Note>, payload: Note, options?: EnqueueOptions): Promise<void> {
    return this.ctx.db.transaction((tx) => this.ctx.outbox.add(tx, job, payload, options));
  }

  async rowsLeft(): Promise<number> {
    return (await storedRows(this.ctx, OutboxJob)).length;
  }

  /** Resolves when the outbox is empty. */
  async published(): Promise<void> {
    await eventually(async () => expect(await this.rowsLeft()).to.equal(0));
  }

  async completed(count: number): Promise<void> {
    await eventually(async () => expect(await this.queue.getCompletedCount()).to.equal(count), { timeoutMs: 20_000 });
  }

  async failed(count: number): Promise<void> {
    await eventually(async () => expect(await this.queue.getFailedCount()).to.equal(count), { timeoutMs: 20_000 });
  }

  /** Stops the workers and leaves an empty queue for the next test. */
  async close(): Promise<void> {
    for (const stop of this.stops) await stop();
    await this.ctx.db.change('DELETE FROM outbox');
    await this.queue.obliterate({ force: true });
  }
}

/** Runs a contract on PostgreSQL, and on Redis if the test run has one. */
export function onEachBackend(contract: (backend: Backend) => void): void {
  contract('postgres');
  if (process.env['TEST_REDIS_URL']) contract('redis');
}
