import { expect } from 'chai';
import { HeldElsewhereError } from '../../shared/platform/lease/index.js';
import { PermanentJobError, type Handler } from '../../workers/runtime/jobTypes.js';
import { eventually } from '../support/eventually.js';
import { noteJob, onEachBackend, QueueHarness, type Note } from '../support/queueHarness.js';
import { fixtureEach } from '../support/fixtures.js';

const failing: Handler<Note> = () => Promise.reject(new Error('always'));

onEachBackend((backend) => {
  describe(`jobs on ${backend}`, () => {
    const harness = fixtureEach(() => QueueHarness.open(backend));

    const resultCounts = async (): Promise<number[]> => {
      const text = await harness.ctx.metrics.registry.metrics();
      return ['retried', 'completed'].map((result) =>
        Number(new RegExp(`jobs_total\\{.*job="test.note",result="${result}".*\\} (\\d+)`).exec(text)?.[1] ?? 0),
      );
    };

    it('are retried after a failure with doubled delays and the number of the attempt', async () => {
      const attempts: (readonly [number, boolean])[] = [];
      const times: number[] = [];
      const job = noteJob({ backoffMs: 200 });
      await harness.serve(job, async ({ attempt, isLastAttempt }) => {
        attempts.push([attempt, isLastAttempt]);
        times.push(performance.now());
        if (attempt < 3) throw new Error('not yet');
      });
      const before = await resultCounts();
      await harness.add(job, { id: 'a' });
      await harness.completed(1);
      expect(attempts).to.deep.equal([
        [1, false],
        [2, false],
        [3, true],
      ]);
      const [first = 0, second = 0, third = 0] = times;
      expect(second - first).to.be.at.least(195);
      expect(third - second).to.be.at.least(395);
      const [retried = 0, completed = 0] = before;
      expect(await resultCounts(), 'attempts by result').to.deep.equal([retried + 2, completed + 1]);
    });

    it('call onExhausted once after the last attempt, before they fail', async () => {
      const calls: string[] = [];
      const job = noteJob({ attempts: 2 });
      await harness.serve(job, failing, {
        onExhausted: async ({ payload, error }) =>
          calls.push(`${payload.id} ${error.message} ${await harness.queue.getFailedCount()}`),
      });
      await harness.add(job, { id: 'a' });
      await harness.failed(1);
      expect(calls).to.deep.equal(['a always 0']);
    });

    it('count no attempt while onExhausted fails', async () => {
      let calls = 0;
      const job = noteJob({ attempts: 1 });
      await harness.serve(job, failing, {
        async onExhausted() {
          calls++;
          throw new Error('no database');
        },
      });
      await harness.add(job, { id: 'a' });
      await eventually(async () => expect(await harness.queue.getDelayedCount()).to.equal(1));
      expect(calls).to.equal(1);
      expect(await harness.queue.getFailedCount()).to.equal(0);
    });

    it('fail without retry after a PermanentJobError and, without a handler call, for an invalid payload', async () => {
      const seen: string[] = [];
      await harness.serve(noteJob(), async ({ payload }) => {
        seen.push(payload.id);
        throw new PermanentJobError('no video');
      });
      await harness.add(noteJob(), { id: 'a' });
      await harness.queue.add('test.note', { id: 7, text: {} }, { attempts: 3 });
      await harness.failed(2);
      const reasons = (await harness.queue.getFailed()).map(({ failedReason }) => failedReason).toSorted();
      expect(reasons[0]).to.match(/^invalid payload/);
      expect([reasons[1], seen]).to.deep.equal(['no video', ['a']]);
    });

    for (const [where, error] of [
      ['a server is down', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
      ['another worker holds the work', new HeldElsewhereError('the lease was lost')],
    ] as const)
      it(`are delayed without a counted attempt if ${where}`, async () => {
        const attempts: number[] = [];
        await harness.serve(noteJob({ attempts: 1 }), async ({ attempt }) => {
          attempts.push(attempt);
          if (attempts.length < 2) throw error;
        });
        await harness.add(noteJob({ attempts: 1 }), { id: 'a' });
        await harness.completed(1);
        expect(attempts).to.deep.equal([1, 1]);
      });

    it('abort a handler after its timeout, wait for its end, and count the attempt', async () => {
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
      expect(failed?.failedReason).to.equal('timeout after 100 ms');
      expect(log).to.deep.equal(['ended 1', 'ended 2']);
    });

    it('release the worker slots of handlers that ignore their abort, and ignore their later results', async () => {
      const stuck = Array.from({ length: 8 }, (_, number) => `stuck-${number}`);
      const job = noteJob({ timeoutMs: 100, attempts: 1 });
      const ends: (() => void)[] = [];
      const seen: string[] = [];
      let endRequests = 0;
      const abandoned: boolean[] = [];
      await harness.serve(
        job,
        async (run) => {
          const { id } = run.payload;
          seen.push(id);
          if (!id.startsWith('stuck')) return;
          run.abandoned?.addEventListener('abort', () => abandoned.push(run.signal.aborted));
          await new Promise<void>((resolve) => ends.push(resolve));
        },
        { onTooManyAbandoned: () => (endRequests += 1) },
      );
      for (const id of stuck) await harness.add(job, { id });
      await eventually(() => expect(seen).to.have.members(stuck));
      await harness.add(job, { id: 'other' });
      await harness.completed(1);
      await harness.failed(stuck.length);
      expect(seen).to.have.members([...stuck, 'other']);
      expect(abandoned).to.deep.equal(stuck.map(() => true));
      const running = async (): Promise<string | undefined> =>
        /jobs_abandoned\{.*job="test.note".*\} (\d+)/.exec(await harness.ctx.metrics.registry.metrics())?.[1];
      expect([await running(), endRequests]).to.deep.equal(['8', 1]);
      for (const end of ends) end();
      await eventually(async () => expect(await running()).to.equal('0'));
      const failed = await harness.queue.getFailed();
      expect(failed.map(({ failedReason }) => failedReason)).to.deep.equal(stuck.map(() => 'timeout after 100 ms'));
      expect(await harness.queue.getCompletedCount()).to.equal(1);
    });

    it('return to the queue at shutdown without a counted attempt', async () => {
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

    it('pass to another worker after a lost lock, which aborts the first handler', async () => {
      const attempts: number[] = [];
      let abortedWith: unknown;
      const job = noteJob({ attempts: 1 });
      await harness.serve(job, async ({ attempt, signal }) => {
        attempts.push(attempt);
        if (attempts.length > 1) return;
        // The state after a worker was disconnected for too long.
        const [active] = await harness.queue.getActive();
        if (backend === 'postgres')
          await harness.ctx.db.change(`UPDATE bullmq.job SET lock_token = 'other', locked_until_ms = 0`);
        else
          await harness.queue
            .getBackend()
            .client.then((client) => client.del(`${harness.queue.toKey(active?.id ?? '')}:lock`));
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
        abortedWith = (signal.reason as Error).name;
      });
      await harness.add(job, { id: 'a' });
      await eventually(() => expect(attempts).to.deep.equal([1, 1]), { timeoutMs: 15_000 });
      await eventually(() => expect(abortedWith).to.equal('LostLockError'));
      await harness.completed(1);
      expect(await harness.queue.getFailedCount()).to.equal(0);
    });

    it('report progress', async () => {
      let finish = (): void => {};
      await harness.serve(noteJob(), async ({ reportProgress }) => {
        reportProgress(42.4);
        await new Promise<void>((resolve) => (finish = resolve));
      });
      await harness.add(noteJob(), { id: 'a' });
      await eventually(async () => expect((await harness.queue.getActive())[0]?.progress).to.equal(42));
      finish();
    });
  });
});
