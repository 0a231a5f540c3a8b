import { expect } from 'chai';
import Joi from 'joi';
import { validateDetailed } from 'node-cron';
import { openOutbox, type OpenOutbox } from '../../../shared/platform/queue/outbox/openOutbox.js';
import { defineJob, type EnqueueOptions } from '../../../shared/platform/queue/job.js';
import { createMetrics } from '../../../shared/platform/metrics.js';
import type { JobPublication, Queues } from '../../../shared/platform/queue/queue.js';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { openTestContext, testEnvironment } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { fixtureEach } from '../../support/fixtures.js';
import { OutboxJob } from '../../../shared/platform/queue/outbox/outbox.model.js';
import { storedRows } from '../../support/rows.js';
import { openClockContext } from '../../../shared/clockContext.js';
import { jobs } from '../../../shared/jobs.js';
import { readConfig } from '../../../shared/settings.js';
import { sweepPlatform } from '../../../shared/platform/platform.jobs.js';
import { handlers } from '../../../workers/handlers.js';
import { schedule, scheduleOf, type ScheduledTask } from '../../../workers/schedule.js';
import { enqueueOnce, minuteOf } from '../../../shared/platform/queue/clockTicks.js';

const note = defineJob({
  name: 'test.note',
  queue: 'mail',
  payload: Joi.object<{ id: string }, true>({ id: Joi.string().required() }),
  key: ({ id }) => `note-${id}`,
  attempts: 3,
  backoffMs: 10,
  timeoutMs: 5_000,
});

describe('the outbox', () => {
  const ctx = fixtureEach(() => openTestContext({ REDIS_URL: '' }));
  let stops: (() => Promise<void>)[];

  beforeEach(async () => {
    stops = [];
  });

  afterEach(async () => {
    for (const stop of stops) await stop();
  });

  const add = (outbox: OpenOutbox, id: string, options?: EnqueueOptions): Promise<void> =>
    ctx.db.transaction((tx) => outbox.add(tx, note, { id }, options));

  /** Inserts rows as if a process died between commit and publication. */
  const leave = (count: number, claimSeconds: number | null = null): Promise<number> =>
    ctx.db.change(
      `INSERT INTO outbox (queue, job, job_key, repeats, payload, attempts, backoff_ms, claimed_until)
       SELECT 'mail', 'test.note', 'note-' || n, 'once', jsonb_build_object('id', n::text), 3, 10,
         now() + $claimSeconds::float8 * interval '1 second'
       FROM generate_series(1, $count) AS n`,
      { count, claimSeconds },
    );

  const rowsLeft = async (): Promise<number> => (await storedRows(ctx, OutboxJob)).length;
  const waiting = async (): Promise<number> =>
    (await ctx.queues
      .all()
      .find(({ name }) => name === 'mail')
      ?.getWaitingCount()) ?? 0;

  /** An outbox of a process that calls `publish` instead of a queue server. */
  async function outboxWith(publish: (publications: readonly JobPublication[]) => Promise<void>): Promise<OpenOutbox> {
    const queues: Queues = { ...ctx.queues, publish };
    const outbox = await openOutbox({
      tracing: null,
      db: ctx.db,
      queues,
      clock: ctx.clock,
      log: ctx.log,
      metrics: createMetrics('test'),
    });
    stops.push(() => outbox.close());
    return outbox;
  }

  it('accepts jobs while the queue server is down, and publishes them when it is back', async () => {
    const seen: string[] = [];
    await ctx.db.change('ALTER SCHEMA bullmq RENAME TO elsewhere');
    await add(ctx.outbox, 'a');
    await add(ctx.outbox, 'b');
    expect(await rowsLeft()).to.equal(2);
    // The publisher that the commits have started may still hold the rows.
    await eventually(async () => expect(await ctx.outbox.publish().catch((error: unknown) => error)).to.be.an('error'));
    await ctx.db.change('ALTER SCHEMA elsewhere RENAME TO bullmq');
    const workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [note.name]: handledBy(note, async ({ payload }) => seen.push(payload.id)) },
    });
    stops.push(workers.close);
    await eventually(() => expect(seen).to.have.members(['a', 'b']));
    await eventually(async () => expect(await rowsLeft()).to.equal(0));
  });

  it('starts workers while the queue server is down', async () => {
    let runs = 0;
    await ctx.db.change('ALTER SCHEMA bullmq RENAME TO elsewhere');
    const workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [note.name]: handledBy(note, async () => runs++) },
    });
    stops.push(workers.close);
    await add(ctx.outbox, 'a');
    expect(await rowsLeft()).to.equal(1);
    await ctx.db.change('ALTER SCHEMA elsewhere RENAME TO bullmq');
    await eventually(() => expect(runs).to.equal(1), { timeoutMs: 20_000 });
  });

  it('divides the rows among publishers', async () => {
    await leave(1_200);
    const other = await outboxWith((publications) => ctx.queues.publish(publications));
    const [ours, theirs] = await Promise.all([ctx.outbox.publish(), other.publish()]);
    expect(ours + theirs).to.equal(1_200);
    expect(await waiting()).to.equal(1_200);
    expect(await rowsLeft()).to.equal(0);
  });

  it('publishes rows that a crashed process has claimed, after the claim has expired', async () => {
    await leave(3, 30);
    expect(await ctx.outbox.publish()).to.equal(0);
    await ctx.db.change(`UPDATE outbox SET claimed_until = now() - interval '1 second'`);
    expect(await ctx.outbox.publish()).to.equal(3);
    expect(await waiting()).to.equal(3);
  });

  it('marks a row that was claimed before as possibly published', async () => {
    const calls: boolean[] = [];
    const outbox = await outboxWith(async (publications) => {
      calls.push(...publications.map(({ maybePublished }) => maybePublished));
      if (calls.length === 1) throw new Error('no response');
    });
    await leave(1);
    await outbox.publish().catch(() => {});
    await outbox.publish();
    expect(calls).to.deep.equal([false, true]);
  });

  it('never blocks callers on the queue server, and holds no database connection meanwhile', async () => {
    let response = (): void => {};
    let asked = false;
    const outbox = await outboxWith(() => {
      asked = true;
      return new Promise((resolve) => (response = resolve));
    });
    await add(outbox, 'a');
    await eventually(() => expect(asked).to.equal(true));
    expect(ctx.db.poolState().used).to.equal(0);
    response();
    await eventually(async () => expect(await rowsLeft()).to.equal(0));
  });

  it('passes attempts, backoff, priority and delay to the queue', async () => {
    let handed: readonly JobPublication[] = [];
    const outbox = await outboxWith(async (publications) => {
      handed = publications;
    });
    await add(outbox, 'a', { priority: 7, delayMs: 1_500 });
    await eventually(() => expect(handed.length).to.equal(1));
    expect(handed[0]).to.include({
      name: 'test.note',
      queue: 'mail',
      deduplicationKey: 'note-a',
      attempts: 3,
      backoffMs: 10,
      priority: 7,
      delayMs: 1_500,
      repeats: 'once',
    });
    expect(handed[0]?.jobId).to.match(/^[0-9a-f-]{36}$/);
  });

  it('writes the same row for one job and for a batch', async () => {
    const columns = 'queue, job, job_key, repeats, payload, attempts, backoff_ms, priority, available_at, created_at';
    const id = 'quote\' "double" $1 $$ \\ ü';
    const held = defineJob({ ...note, key: () => 'held' });
    const entry = { payload: { id }, options: { priority: 7, delayMs: 1_500 } };
    const outbox = await outboxWith(() => Promise.reject(new Error('away')));
    await ctx.db.transaction((tx) => outbox.add(tx, held, entry.payload, entry.options));
    await ctx.db.transaction((tx) => outbox.addMany(tx, held, [entry, entry]));
    const rows = await ctx.db.rows<{ payload: object }>(`SELECT ${columns} FROM outbox`);
    expect(rows).to.have.length(3);
    expect(rows[0]?.payload).to.deep.equal({ id });
    expect(rows[1]).to.deep.equal(rows[0]);
    expect(rows[2]).to.deep.equal(rows[0]);
  });

  for (const [what, payload, options] of [
    ['a payload that lacks its id', {}, {}],
    ['a payload with a wrong member', { id: 7 }, {}],
    ['a deduplication key with a colon', { id: 'a:b' }, {}],
    ['a negative priority', { id: 'a' }, { priority: -1 }],
    ['a priority past the last', { id: 'a' }, { priority: 2_097_152 }],
  ] as const)
    it(`throws for ${what} before the commit`, async () => {
      const refused = await ctx.db
        .transaction((tx) => ctx.outbox.add(tx, note, payload as never, options))
        .catch((error: Error) => error);
      expect(refused)
        .to.be.an('error')
        .with.property('message')
        .that.matches(/test\.note/);
      expect(await rowsLeft()).to.equal(0);
    });
});

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
