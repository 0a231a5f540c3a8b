import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import Joi from 'joi';
import type { EnqueueOptions, Job } from '../../shared/platform/job.js';
import { defineJob } from '../../shared/platform/job.js';
import { handle, PermanentJobError, type ExhaustedHandler, type Handler } from '../../workers/runtime.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { startWorkers } from '../support/workers.js';

interface Note {
  readonly id: string;
  readonly text?: string;
}

type Fields = Partial<Pick<Job<string, Note>, 'repeats' | 'attempts' | 'backoffMs' | 'timeoutMs'>>;

const noteJob = (fields: Fields = {}) =>
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

const redisUrl = process.env['TEST_REDIS_URL'];

queueContract('postgres', { REDIS_URL: '' });
if (redisUrl) queueContract('redis', { REDIS_URL: redisUrl });

function queueContract(backend: 'postgres' | 'redis', settings: Record<string, string>): void {
  describe(`queues on ${backend}`, () => {
    let ctx: TestContext;
    let stops: (() => Promise<void>)[];

    beforeEach(async () => {
      const prefix = `t${randomBytes(6).toString('hex')}`;
      ctx = await openTestContext({ ...settings, QUEUE_PREFIX: prefix, WORKER_LOCK_SECONDS: '2' });
      stops = [];
    });

    afterEach(async () => {
      for (const stop of stops) await stop();
      await ctx.close();
    });

    const serve = async (job: Job<string, Note>, run: Handler<Note>, onExhausted?: ExhaustedHandler<Note>): Promise<() => Promise<void>> => {
      const handled = handle(job, run, onExhausted ? { onExhausted } : {});
      const workers = await startWorkers(ctx, { queues: ['mail'], handlers: { [job.name]: handled } });
      stops.push(workers.close);
      return workers.close;
    };

    const add = (job: Job<string, Note>, payload: Note, options?: EnqueueOptions): Promise<void> =>
      ctx.db.transaction((tx) => ctx.outbox.add(tx, job, payload, options));

    const queue = () => ctx.queues.all().find(({ name }) => name === 'mail')!;
    const rowsLeft = async (): Promise<number> => (await ctx.db.rows('SELECT id FROM outbox')).length;
    const published = () => eventually(async () => expect(await rowsLeft()).to.equal(0));

    it('runs on the backend that is asked for', () => {
      expect(ctx.queues.backend).to.equal(backend);
    });

    it('hands a committed job to its handler, with its payload', async () => {
      const seen: Note[] = [];
      await serve(noteJob(), async ({ payload }) => seen.push(payload));
      await add(noteJob(), { id: 'a', text: 'hello' });
      await eventually(() => expect(seen).to.deep.equal([{ id: 'a', text: 'hello' }]));
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
    });

    it('publishes many of one transaction', async () => {
      const seen = new Set<string>();
      await serve(noteJob(), async ({ payload }) => seen.add(payload.id));
      const entries = Array.from({ length: 700 }, (_, number) => ({ payload: { id: String(number) } }));
      await ctx.db.transaction((tx) => ctx.outbox.addMany(tx, noteJob(), entries));
      await eventually(() => expect(seen.size).to.equal(700), { timeoutMs: 20_000 });
    });

    it('forgets the jobs of a transaction that is rolled back', async () => {
      await ctx.db
        .transaction(async (tx) => {
          await ctx.outbox.add(tx, noteJob(), { id: 'a' });
          throw new Error('no');
        })
        .catch(() => {});
      expect(await rowsLeft()).to.equal(0);
      expect(await ctx.outbox.publish()).to.equal(0);
      expect(await queue().getWaitingCount()).to.equal(0);
    });

    it('keeps one job of an identity that waits', async () => {
      await add(noteJob(), { id: 'a' });
      await published();
      await add(noteJob(), { id: 'a' });
      await add(noteJob(), { id: 'b' });
      await published();
      expect(await queue().getWaitingCount()).to.equal(2);
    });

    it('takes an identity again once it has completed', async () => {
      let runs = 0;
      await serve(noteJob(), async () => runs++);
      for (const expected of [1, 2, 3]) {
        await add(noteJob(), { id: 'a' });
        await eventually(async () => expect(await queue().getCompletedCount()).to.equal(expected));
      }
      expect(runs).to.equal(3);
    });

    it('takes an identity again once it has failed', async () => {
      let runs = 0;
      await serve(noteJob({ attempts: 1 }), async () => {
        runs++;
        throw new Error('always');
      });
      for (const expected of [1, 2]) {
        await add(noteJob({ attempts: 1 }), { id: 'a' });
        await eventually(async () => expect(await queue().getFailedCount()).to.equal(expected));
      }
      expect(runs).to.equal(2);
    });

    for (const [repeats, expected] of [['once', 1], ['latest', 2]] as const) {
      it(`runs an identity that is asked for three times while it runs ${expected} times (${repeats})`, async () => {
        let runs = 0;
        let finish = (): void => {};
        const job = noteJob({ repeats });
        await serve(job, async () => {
          runs++;
          if (runs === 1) await new Promise<void>((resolve) => (finish = resolve));
        });
        await add(job, { id: 'a' });
        await eventually(() => expect(runs).to.equal(1));
        for (let asked = 0; asked < 3; asked++) {
          await add(job, { id: 'a' });
          await published();
        }
        finish();
        await eventually(async () => expect(await queue().getCompletedCount()).to.equal(expected));
        await add(job, { id: 'a' });
        await eventually(async () => expect(await queue().getCompletedCount()).to.equal(expected + 1));
        expect(runs).to.equal(expected + 1);
      });
    }

    it('runs a row once that was published, done, and published again after a crash', async () => {
      let runs = 0;
      await serve(noteJob(), async () => runs++);
      await add(noteJob(), { id: 'a' });
      await published();
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
      const [done] = await queue().getCompleted();
      await ctx.db.change(
        `INSERT INTO outbox (id, queue, job, job_key, repeats, payload, attempts, backoff_ms, claimed_until)
         VALUES ($id, 'mail', 'test.note', 'note-a', 'once', '{"id":"a"}', 3, 10, 'epoch')`,
        { id: done?.id?.replace('outbox-', '') },
      );
      await ctx.outbox.publish();
      await published();
      expect(runs).to.equal(1);
      await add(noteJob(), { id: 'a' });
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(2));
    });

    it('tries again after a failure, with the attempt told, and then succeeds', async () => {
      const attempts: (readonly [number, boolean])[] = [];
      await serve(noteJob(), async ({ attempt, isLastAttempt }) => {
        attempts.push([attempt, isLastAttempt]);
        if (attempt < 3) throw new Error('not yet');
      });
      await add(noteJob(), { id: 'a' });
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
      expect(attempts).to.deep.equal([[1, false], [2, false], [3, true]]);
    });

    it('waits longer before each attempt', async () => {
      const times: number[] = [];
      await serve(noteJob({ backoffMs: 200 }), async () => {
        times.push(performance.now());
        throw new Error('always');
      });
      await add(noteJob({ backoffMs: 200 }), { id: 'a' });
      await eventually(async () => expect(await queue().getFailedCount()).to.equal(1));
      const [first = 0, second = 0, third = 0] = times;
      expect(second - first).to.be.at.least(195);
      expect(third - second).to.be.at.least(395);
    });

    it('tells the domain after the last attempt, once, before the job has failed', async () => {
      const told: string[] = [];
      const job = noteJob({ attempts: 2 });
      const run: Handler<Note> = async () => {
        throw new Error('always');
      };
      await serve(job, run, async ({ payload, error }) => told.push(`${payload.id} ${error.message} ${await queue().getFailedCount()}`));
      await add(job, { id: 'a' });
      await eventually(async () => expect(await queue().getFailedCount()).to.equal(1));
      expect(told).to.deep.equal(['a always 0']);
    });

    it('spends no attempt while the failure cannot be written down', async () => {
      let told = 0;
      const job = noteJob({ attempts: 1 });
      const run: Handler<Note> = async () => {
        throw new Error('always');
      };
      await serve(job, run, async () => {
        told++;
        throw new Error('no database');
      });
      await add(job, { id: 'a' });
      await eventually(async () => expect(await queue().getDelayedCount()).to.equal(1));
      expect(told).to.equal(1);
      expect(await queue().getFailedCount()).to.equal(0);
    });

    it('gives up at once where the work is at fault', async () => {
      let runs = 0;
      await serve(noteJob(), async () => {
        runs++;
        throw new PermanentJobError('no video');
      });
      await add(noteJob(), { id: 'a' });
      await eventually(async () => expect(await queue().getFailedCount()).to.equal(1));
      const [failed] = await queue().getFailed();
      expect([runs, failed?.failedReason]).to.deep.equal([1, 'no video']);
    });

    it('gives up at once on a payload that is not the declared one', async () => {
      let runs = 0;
      await serve(noteJob(), async () => runs++);
      await queue().add('test.note', { id: 7, text: {} }, { attempts: 3 });
      await eventually(async () => expect(await queue().getFailedCount()).to.equal(1));
      const [failed] = await queue().getFailed();
      expect(failed?.failedReason).to.match(/^bad payload/);
      expect(runs).to.equal(0);
    });

    it('puts a job back without an attempt spent where a server is away', async () => {
      const attempts: number[] = [];
      await serve(noteJob({ attempts: 1 }), async ({ attempt }) => {
        attempts.push(attempt);
        if (attempts.length < 2) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      });
      await add(noteJob({ attempts: 1 }), { id: 'a' });
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
      expect(attempts).to.deep.equal([1, 1]);
    });

    it('aborts a handler that takes too long, waits for its end, and counts the attempt', async () => {
      const log: string[] = [];
      const job = noteJob({ timeoutMs: 100, attempts: 2 });
      await serve(job, async ({ signal, attempt }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 100)));
        log.push(`ended ${attempt}`);
        throw new Error('killed');
      });
      await add(job, { id: 'a' });
      await eventually(async () => expect(await queue().getFailedCount()).to.equal(1));
      const [failed] = await queue().getFailed();
      expect(failed?.failedReason).to.equal('not done within 100 ms');
      expect(log).to.deep.equal(['ended 1', 'ended 2']);
    });

    it('puts a running job back at shutdown, without an attempt spent', async () => {
      const attempts: number[] = [];
      let aborted = false;
      const job = noteJob({ attempts: 1 });
      const run: Handler<Note> = async ({ attempt, signal }) => {
        attempts.push(attempt);
        if (attempts.length > 1) return;
        await new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted = true;
            reject(new Error('killed'));
          });
        });
      };
      const stop = await serve(job, run);
      await add(job, { id: 'a' });
      await eventually(() => expect(attempts.length).to.equal(1));
      await stop();
      expect(aborted).to.equal(true);
      expect(await queue().getWaitingCount()).to.equal(1);
      await serve(job, run);
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
      expect(attempts).to.deep.equal([1, 1]);
    });

    it('gives the job of a silent worker to another, and tells the first one to stop', async () => {
      const attempts: number[] = [];
      let told: unknown;
      const job = noteJob({ attempts: 1 });
      await serve(job, async ({ attempt, signal }) => {
        attempts.push(attempt);
        if (attempts.length > 1) return;
        // What a worker that lost its connection for too long leaves behind.
        const [active] = await queue().getActive();
        if (backend === 'postgres') await ctx.db.change(`UPDATE bullmq.job SET lock_token = 'other', locked_until_ms = 0`);
        else await queue().getBackend().client.then((client) => client.del(`${queue().toKey(active?.id ?? '')}:lock`));
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        told = (signal.reason as Error).name;
      });
      await add(job, { id: 'a' });
      await eventually(() => expect(attempts).to.deep.equal([1, 1]), { timeoutMs: 15_000 });
      await eventually(() => expect(told).to.equal('LostLockError'));
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
      expect(await queue().getFailedCount()).to.equal(0);
    });

    it('takes the most urgent first', async () => {
      const seen: string[] = [];
      const job = noteJob();
      for (const [id, priority] of [['slow', 20], ['quick', 1], ['first', 0], ['middle', 7]] as const) await add(job, { id }, { priority });
      await published();
      const workers = ctx.queues.serve('mail', 1, async (bullJob) => void seen.push(bullJob.data.id));
      stops.push(() => workers.close());
      await eventually(() => expect(seen).to.deep.equal(['first', 'quick', 'middle', 'slow']));
    });

    it('keeps a delayed job back', async () => {
      let ranAt = 0;
      await serve(noteJob(), async () => (ranAt = performance.now()));
      const before = performance.now();
      await add(noteJob(), { id: 'a' }, { delayMs: 500 });
      await eventually(() => expect(ranAt).to.be.above(0));
      expect(ranAt - before).to.be.at.least(450);
    });

    it('shows progress', async () => {
      let finish = (): void => {};
      await serve(noteJob(), async ({ reportProgress }) => {
        await reportProgress(42.4);
        await new Promise<void>((resolve) => (finish = resolve));
      });
      await add(noteJob(), { id: 'a' });
      await eventually(async () => expect((await queue().getActive())[0]?.progress).to.equal(42));
      finish();
    });

    it('counts attempts by queue, job and result', async () => {
      await serve(noteJob(), async ({ attempt }) => {
        if (attempt === 1) throw new Error('once');
      });
      await add(noteJob(), { id: 'a' });
      await eventually(async () => expect(await queue().getCompletedCount()).to.equal(1));
      const text = await ctx.metrics.registry.metrics();
      for (const result of ['retried', 'completed']) expect(text).to.match(new RegExp(`jobs_total\\{.*job="test.note",result="${result}".*\\} 1`));
    });
  });
}
