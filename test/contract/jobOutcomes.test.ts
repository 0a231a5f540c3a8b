import { expect } from 'chai';
import { PermanentJobError, type Handler } from '../../workers/runtime/jobTypes.js';
import { eventually } from '../support/eventually.js';
import { noteJob, onEachBackend, QueueHarness, type Note } from '../support/queueHarness.js';

onEachBackend((backend) => {
  describe(`jobs on ${backend}`, () => {
    let harness: QueueHarness;

    beforeEach(async () => {
      harness = await QueueHarness.open(backend);
    });

    afterEach(() => harness.close());

    it('tries again after a failure, with the attempt told, and then succeeds', async () => {
      const attempts: (readonly [number, boolean])[] = [];
      await harness.serve(noteJob(), async ({ attempt, isLastAttempt }) => {
        attempts.push([attempt, isLastAttempt]);
        if (attempt < 3) throw new Error('not yet');
      });
      await harness.add(noteJob(), { id: 'a' });
      await harness.completed(1);
      expect(attempts).to.deep.equal([
        [1, false],
        [2, false],
        [3, true],
      ]);
    });

    it('waits longer before each attempt', async () => {
      const times: number[] = [];
      await harness.serve(noteJob({ backoffMs: 200 }), async () => {
        times.push(performance.now());
        throw new Error('always');
      });
      await harness.add(noteJob({ backoffMs: 200 }), { id: 'a' });
      await harness.failed(1);
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
      await harness.serve(job, run, async ({ payload, error }) =>
        told.push(`${payload.id} ${error.message} ${await harness.queue.getFailedCount()}`),
      );
      await harness.add(job, { id: 'a' });
      await harness.failed(1);
      expect(told).to.deep.equal(['a always 0']);
    });

    it('spends no attempt while the failure cannot be written down', async () => {
      let told = 0;
      const job = noteJob({ attempts: 1 });
      const run: Handler<Note> = async () => {
        throw new Error('always');
      };
      await harness.serve(job, run, async () => {
        told++;
        throw new Error('no database');
      });
      await harness.add(job, { id: 'a' });
      await eventually(async () => expect(await harness.queue.getDelayedCount()).to.equal(1));
      expect(told).to.equal(1);
      expect(await harness.queue.getFailedCount()).to.equal(0);
    });

    it('gives up at once where the work is at fault', async () => {
      let runs = 0;
      await harness.serve(noteJob(), async () => {
        runs++;
        throw new PermanentJobError('no video');
      });
      await harness.add(noteJob(), { id: 'a' });
      await harness.failed(1);
      const [failed] = await harness.queue.getFailed();
      expect([runs, failed?.failedReason]).to.deep.equal([1, 'no video']);
    });

    it('gives up at once on a payload that is not the declared one', async () => {
      let runs = 0;
      await harness.serve(noteJob(), async () => runs++);
      await harness.queue.add('test.note', { id: 7, text: {} }, { attempts: 3 });
      await harness.failed(1);
      const [failed] = await harness.queue.getFailed();
      expect(failed?.failedReason).to.match(/^bad payload/);
      expect(runs).to.equal(0);
    });

    it('puts a job back without an attempt spent where a server is away', async () => {
      const attempts: number[] = [];
      await harness.serve(noteJob({ attempts: 1 }), async ({ attempt }) => {
        attempts.push(attempt);
        if (attempts.length < 2) throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
      });
      await harness.add(noteJob({ attempts: 1 }), { id: 'a' });
      await harness.completed(1);
      expect(attempts).to.deep.equal([1, 1]);
    });

    it('aborts a handler that takes too long, waits for its end, and counts the attempt', async () => {
      const log: string[] = [];
      const job = noteJob({ timeoutMs: 100, attempts: 2 });
      await harness.serve(job, async ({ signal, attempt }) => {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => setTimeout(resolve, 100)));
        log.push(`ended ${attempt}`);
        throw new Error('killed');
      });
      await harness.add(job, { id: 'a' });
      await harness.failed(1);
      const [failed] = await harness.queue.getFailed();
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
      const stop = await harness.serve(job, run);
      await harness.add(job, { id: 'a' });
      await eventually(() => expect(attempts.length).to.equal(1));
      await stop();
      expect(aborted).to.equal(true);
      expect(await harness.queue.getWaitingCount()).to.equal(1);
      await harness.serve(job, run);
      await harness.completed(1);
      expect(attempts).to.deep.equal([1, 1]);
    });

    it('gives the job of a silent worker to another, and tells the first one to stop', async () => {
      const attempts: number[] = [];
      let told: unknown;
      const job = noteJob({ attempts: 1 });
      await harness.serve(job, async ({ attempt, signal }) => {
        attempts.push(attempt);
        if (attempts.length > 1) return;
        // What a worker that lost its connection for too long leaves behind.
        const [active] = await harness.queue.getActive();
        if (backend === 'postgres')
          await harness.ctx.db.change(`UPDATE bullmq.job SET lock_token = 'other', locked_until_ms = 0`);
        else
          await harness.queue
            .getBackend()
            .client.then((client) => client.del(`${harness.queue.toKey(active?.id ?? '')}:lock`));
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        told = (signal.reason as Error).name;
      });
      await harness.add(job, { id: 'a' });
      await eventually(() => expect(attempts).to.deep.equal([1, 1]), { timeoutMs: 15_000 });
      await eventually(() => expect(told).to.equal('LostLockError'));
      await harness.completed(1);
      expect(await harness.queue.getFailedCount()).to.equal(0);
    });

    it('shows progress', async () => {
      let finish = (): void => {};
      await harness.serve(noteJob(), async ({ reportProgress }) => {
        await reportProgress(42.4);
        await new Promise<void>((resolve) => (finish = resolve));
      });
      await harness.add(noteJob(), { id: 'a' });
      await eventually(async () => expect((await harness.queue.getActive())[0]?.progress).to.equal(42));
      finish();
    });

    it('counts attempts by queue, job and result', async () => {
      await harness.serve(noteJob(), async ({ attempt }) => {
        if (attempt === 1) throw new Error('once');
      });
      await harness.add(noteJob(), { id: 'a' });
      await harness.completed(1);
      const text = await harness.ctx.metrics.registry.metrics();
      for (const result of ['retried', 'completed'])
        expect(text).to.match(new RegExp(`jobs_total\\{.*job="test.note",result="${result}".*\\} 1`));
    });
  });
});
