import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import pg from 'pg';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { openTestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { noteJob } from '../../support/queueHarness.js';
import { startWorkers } from '../../support/workers.js';
import { fixtureEach } from '../../support/fixtures.js';

const job = noteJob({ attempts: 1 });

describe('while PostgreSQL restarts', () => {
  const ctx = fixtureEach(() => openTestContext({ REDIS_URL: '' }));
  const server = fixtureEach(() => new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] }));
  let workers: { close: () => Promise<void> } | undefined;

  beforeEach(async () => {
    await server.connect();
  });

  afterEach(async () => {
    await workers?.close();
    workers = undefined;
    await server.end();
  });

  /** The service's view of a restart: every connection is closed, and for a while none is accepted. */
  async function restart(downMs: number): Promise<void> {
    const name = new URL(ctx.config.database.url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await sleep(downMs);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  }

  const add = (id: string): Promise<void> => ctx.db.transaction((tx) => ctx.outbox.add(tx, job, { id }));

  it('an idle worker reconnects', async () => {
    const seen: string[] = [];
    workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [job.name]: handledBy(job, async ({ payload }) => seen.push(payload.id)) },
    });
    await add('before');
    await eventually(() => expect(seen).to.deep.equal(['before']));
    await restart(1_500);
    await eventually(() => add('after'));
    await eventually(() => expect(seen).to.deep.equal(['before', 'after']), { timeoutMs: 10_000 });
  });

  it('a job that ends meanwhile is completed, once', async () => {
    let runs = 0;
    let go = (): void => {};
    const run = handledBy(job, async () => {
      runs++;
      await new Promise<void>((resolve) => (go = resolve));
    });
    workers = await startWorkers(ctx, { queues: ['mail'], handlers: { [job.name]: run } });
    await add('a');
    await eventually(() => expect(runs).to.equal(1));
    const restarted = restart(1_500);
    await sleep(300);
    go();
    await restarted;
    const queue = ctx.queues.all().find(({ name }) => name === 'mail')!;
    await eventually(async () => expect(await queue.getCompletedCount()).to.equal(1), { timeoutMs: 10_000 });
    expect([runs, await queue.getFailedCount()]).to.deep.equal([1, 0]);
  });

  it('a job whose handler fails because of the restart is completed, and counts no attempt', async () => {
    const attempts: number[] = [];
    let go = (): void => {};
    const run = handledBy(job, async ({ attempt }) => {
      attempts.push(attempt);
      if (attempts.length === 1) await new Promise<void>((resolve) => (go = resolve));
      await ctx.db.rows('SELECT 1');
    });
    workers = await startWorkers(ctx, { queues: ['mail'], handlers: { [job.name]: run } });
    await add('a');
    await eventually(() => expect(attempts).to.have.length(1));
    const restarted = restart(1_500);
    await sleep(300);
    go();
    await restarted;
    const queue = ctx.queues.all().find(({ name }) => name === 'mail')!;
    await eventually(async () => expect(await queue.getCompletedCount()).to.equal(1), { timeoutMs: 40_000 });
    expect(new Set(attempts)).to.deep.equal(new Set([1]));
    expect(await queue.getFailedCount()).to.equal(0);
  });
});
