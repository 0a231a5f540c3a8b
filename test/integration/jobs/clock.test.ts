import { expect } from 'chai';
import { validateDetailed } from 'node-cron';
import { openClockContext } from '../../../shared/clockContext.js';
import { jobs } from '../../../shared/jobs.js';
import { readConfig } from '../../../shared/settings.js';
import { sweepPlatform } from '../../../shared/platform/platform.jobs.js';
import { handlers } from '../../../workers/handlers.js';
import { schedule, scheduleOf, type ScheduledTask } from '../../../workers/schedule.js';
import { enqueueOnce, minuteOf } from '../../../shared/platform/queue/clockTicks.js';
import { openTestContext } from '../../support/context.js';
import { testEnvironment } from '../../support/environment.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { fixtureEach } from '../../support/fixtures.js';
import { OutboxJob } from '../../../shared/platform/queue/outbox/outbox.model.js';
import { storedRows } from '../../support/rows.js';

describe('the clock', () => {
  describe('in its schedule', () => {
    for (const { name, cron, job, payload } of schedule)
      it(`adds ${name} at a valid time, with a valid payload`, () => {
        expect(validateDetailed(cron).valid, cron).to.equal(true);
        expect(cron.split(' ')).to.have.length(5);
        expect(jobs.map((known) => known.name)).to.include(job.name);
        expect(job.payload.validate(payload).error).to.equal(undefined);
      });

    it('names each task once', () => {
      const names = schedule.map(({ name }) => name);
      expect(names).to.deep.equal([...new Set(names)]);
    });

    it('contains the tasks that the settings need', () => {
      const namesFor = (settings: Record<string, string>): string[] => {
        const env = testEnvironment('postgres://nobody', '/nowhere');
        return scheduleOf(readConfig('clock', { ...env, ...settings })).map(({ name }) => name);
      };
      const all = schedule.map(({ name }) => name);
      expect(namesFor({ MEILI_URL: 'http://127.0.0.1:7700' })).to.deep.equal(all);
      expect(namesFor({})).to.deep.equal(all.filter((name) => name !== 'search.drainMeilisearch'));
    });
  });

  describe('in a tick', () => {
    const ctx = fixtureEach(openTestContext);
    const task: ScheduledTask = { name: 'test', cron: '* * * * *', job: sweepPlatform, payload: {} };
    const minute = new Date('2026-03-01T10:20:00Z');
    const asked = async (): Promise<number> => {
      const queue = ctx.queues.all().find(({ name }) => name === 'sweeps')!;
      return (
        (await storedRows(ctx, OutboxJob)).length + (await queue.getWaitingCount()) + (await queue.getCompletedCount())
      );
    };

    it('adds each job once a minute, for any number of clocks', async () => {
      const firsts = await Promise.all([
        enqueueOnce(ctx, task, minute),
        enqueueOnce(ctx, task, minute),
        enqueueOnce(ctx, task, minute),
      ]);
      expect(firsts.filter(Boolean)).to.have.length(1);
      expect(await enqueueOnce(ctx, task, minute)).to.equal(false);
      await eventually(async () => expect(await storedRows(ctx, OutboxJob)).to.have.length(0));
      expect(await asked()).to.equal(1);
    });

    it('leaves the publication to the workers', async () => {
      const clock = await openClockContext({ ...ctx.config, process: 'clock', logLevel: 'silent' });
      try {
        expect(await enqueueOnce(clock, task, minute)).to.equal(true);
      } finally {
        await clock.close();
      }
      expect(await storedRows(ctx, OutboxJob)).to.have.length(1);
      expect(await ctx.outbox.publish()).to.equal(1);
      expect(await asked()).to.equal(1);
    });

    it('adds jobs again in the next minute, and for other tasks in the same minute', async () => {
      expect(await enqueueOnce(ctx, task, minute)).to.equal(true);
      expect(await enqueueOnce(ctx, task, new Date(minute.getTime() + 60_000))).to.equal(true);
      expect(await enqueueOnce(ctx, { ...task, name: 'other' }, minute)).to.equal(true);
    });

    it('records no tick if the job cannot be added', async () => {
      const broken = { ...task, payload: { unknown: true } };
      await enqueueOnce(ctx, broken, minute).catch(() => {});
      expect(await enqueueOnce(ctx, task, minute)).to.equal(true);
    });

    it('removes old ticks', async () => {
      await enqueueOnce(ctx, task, ctx.clock.now());
      ctx.clock.advance(8 * 86_400_000);
      await enqueueOnce(ctx, { ...task, name: 'late' }, minuteOf(ctx.clock.now()));
      const workers = await startWorkers(ctx, { queues: ['sweeps'], handlers });
      await eventually(async () =>
        expect(await ctx.db.rows('SELECT task FROM clock_ticks')).to.deep.equal([{ task: 'late' }]),
      );
      await workers.close();
    });
  });
});
