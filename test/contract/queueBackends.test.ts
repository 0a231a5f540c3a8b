import { expect } from 'chai';
import { removeOldCompleted } from '../../shared/platform/queue/index.js';
import { eventually } from '../support/eventually.js';
import { noteJob, onEachBackend, QueueHarness, type Note } from '../support/queueHarness.js';
import { fixtureEach } from '../support/fixtures.js';

onEachBackend((backend) => {
  describe(`queues on ${backend}`, () => {
    const harness = fixtureEach(() => QueueHarness.open(backend));

    it('use the configured backend', () => expect(harness.ctx.queues.backend).to.equal(backend));

    it('publish many jobs of one transaction', async () => {
      const seen: Note[] = [];
      await harness.serve(noteJob(), async ({ payload }) => seen.push(payload));
      const entries = Array.from({ length: 700 }, (_, number) => ({ payload: { id: String(number), text: 'hello' } }));
      await harness.ctx.db.transaction((tx) => harness.ctx.outbox.addMany(tx, noteJob(), entries));
      await harness.completed(700);
      expect(seen).to.have.deep.members(entries.map(({ payload }) => payload));
    });

    it('retain a limited number of completed jobs, the newest ones', async () => {
      await harness.serve(noteJob(), async () => {});
      for (const id of ['a', 'b', 'c', 'd', 'e']) {
        await harness.add(noteJob(), { id });
        await eventually(async () => expect((await harness.queue.getCompleted(0, 0))[0]?.data).to.deep.equal({ id }));
      }
      const remove = () => removeOldCompleted(harness.ctx.queues, AbortSignal.timeout(10_000), 3);
      expect([await remove(), await remove()]).to.deep.equal([2, 0]);
      expect((await harness.queue.getCompleted()).map(({ data }) => data)).to.deep.equal([
        { id: 'e' },
        { id: 'd' },
        { id: 'c' },
      ]);
    });

    it('publish no job of a transaction that is rolled back', async () => {
      await harness.ctx.db
        .transaction(async (tx) => {
          await harness.ctx.outbox.add(tx, noteJob(), { id: 'a' });
          throw new Error('no');
        })
        .catch(() => {});
      expect(await harness.rowsLeft()).to.equal(0);
      expect(await harness.ctx.outbox.publish()).to.equal(0);
      expect(await harness.queue.getWaitingCount()).to.equal(0);
    });

    it('add no second job of a deduplication key while one waits', async () => {
      await harness.add(noteJob(), { id: 'a' });
      await harness.published();
      await harness.add(noteJob(), { id: 'a' });
      await harness.add(noteJob(), { id: 'b' });
      await harness.published();
      expect(await harness.queue.getWaitingCount()).to.equal(2);
    });

    for (const isFailing of [false, true])
      it(`add another job of a deduplication key after one has ${isFailing ? 'failed' : 'completed'}`, async () => {
        let runs = 0;
        await harness.serve(noteJob({ attempts: 1 }), async () => {
          runs++;
          if (isFailing) throw new Error('always');
        });
        for (const expected of [1, 2, 3]) {
          await harness.add(noteJob({ attempts: 1 }), { id: 'a' });
          await (isFailing ? harness.failed(expected) : harness.completed(expected));
        }
        expect(runs).to.equal(3);
      });

    for (const [repeats, expected] of [
      ['once', 1],
      ['latest', 2],
    ] as const)
      it(`run a job ${expected} times if it is added three more times while it runs (${repeats})`, async () => {
        let runs = 0;
        let finish = (): void => {};
        const job = noteJob({ repeats });
        await harness.serve(job, async () => {
          runs++;
          if (runs === 1) await new Promise<void>((resolve) => (finish = resolve));
        });
        await harness.add(job, { id: 'a' });
        await eventually(() => expect(runs).to.equal(1));
        for (let added = 0; added < 3; added++) {
          await harness.add(job, { id: 'a' });
          await harness.published();
        }
        finish();
        await harness.completed(expected);
        await harness.add(job, { id: 'a' });
        await harness.completed(expected + 1);
        expect(runs).to.equal(expected + 1);
      });

    it('respect delay and priority of a job that is added while it runs', async () => {
      const seen: string[] = [];
      const times: number[] = [];
      const job = noteJob({ repeats: 'latest' });
      const workers = harness.ctx.queues.serve('mail', 1, async ({ data: { id } }) => {
        seen.push(id);
        times.push(performance.now());
        if (seen.length > 1) return;
        for (const [other, priority, delayMs] of [
          ['last', 9, 0],
          ['a', 7, 0],
          ['b', 3, 500],
          ['c', 8, 0],
        ] as const)
          await harness.add(job, { id: other }, { priority, delayMs });
        await harness.published();
      });
      harness.endsWith(() => workers.close());
      await harness.add(job, { id: 'a' });
      await eventually(() => expect(seen).to.have.length(5));
      expect(seen.filter((id) => id !== 'b')).to.deep.equal(['a', 'a', 'c', 'last']);
      expect((times[seen.indexOf('b')] ?? 0) - (times[0] ?? 0)).to.be.at.least(450);
    });

    it('run a job once if its outbox row is published again after a crash', async () => {
      let runs = 0;
      await harness.serve(noteJob(), async () => runs++);
      await harness.add(noteJob(), { id: 'a' });
      await harness.published();
      await harness.completed(1);
      const [done] = await harness.queue.getCompleted();
      await harness.ctx.db.change(
        `INSERT INTO outbox (publication_id, queue, job, job_key, repeats, payload, attempts, backoff_ms, claimed_until)
         VALUES ($id, 'mail', 'test.note', 'note-a', 'once', '{"id":"a"}', 3, 10, 'epoch')`,
        { id: done?.id },
      );
      await harness.ctx.outbox.publish();
      await harness.published();
      expect(runs).to.equal(1);
      await harness.add(noteJob(), { id: 'a' });
      await harness.completed(2);
    });

    it('run jobs in the order of their priority', async () => {
      const seen: string[] = [];
      const job = noteJob();
      for (const [id, priority] of [
        ['slow', 20],
        ['quick', 1],
        ['first', 0],
        ['middle', 7],
      ] as const)
        await harness.add(job, { id }, { priority });
      await harness.published();
      const workers = harness.ctx.queues.serve('mail', 1, async (bullJob) => void seen.push(bullJob.data.id));
      harness.endsWith(() => workers.close());
      await eventually(() => expect(seen).to.deep.equal(['first', 'quick', 'middle', 'slow']));
    });

    it('run a delayed job after its delay', async () => {
      let ranAt = 0;
      await harness.serve(noteJob(), async () => (ranAt = performance.now()));
      const before = performance.now();
      await harness.add(noteJob(), { id: 'a' }, { delayMs: 500 });
      await eventually(() => expect(ranAt).to.be.above(0));
      expect(ranAt - before).to.be.at.least(450);
    });
  });
});
