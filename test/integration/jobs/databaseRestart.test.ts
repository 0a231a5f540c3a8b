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

describe('a worker during a PostgreSQL restart', () => {
  const ctx = fixtureEach(() => openTestContext({ REDIS_URL: '' }));
  const server = fixtureEach(() => new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] }));
  let workers: { close: () => Promise<void> } | undefined;

  beforeEach(() => server.connect());

  afterEach(async () => {
    await workers?.close();
    workers = undefined;
    await server.end();
  });

  /** A restart as the service sees it: all connections are closed, and for a while none is accepted. */
  async function restart(downMs: number, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
    const name = new URL(ctx.config.database.url).pathname.slice(1);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await meanwhile();
    await sleep(downMs);
    await server.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`);
  }

  const add = (id: string): Promise<void> => ctx.db.transaction((tx) => ctx.outbox.add(tx, job, { id }));

  it('reconnects when idle', async () => {
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

  it('completes ending jobs once, and counts no attempt that the restart fails', async () => {
    const attempts = new Map<string, number[]>([
      ['ends', []],
      ['reads', []],
    ]);
    const ends: (() => void)[] = [];
    const run = handledBy(job, async ({ payload: { id }, attempt }) => {
      const before = attempts.get(id)?.push(attempt);
      if (before === 1) await new Promise<void>((resolve) => ends.push(resolve));
      if (id === 'reads') await ctx.db.rows('SELECT 1');
    });
    workers = await startWorkers(ctx, { queues: ['mail'], handlers: { [job.name]: run } });
    for (const id of attempts.keys()) await add(id);
    await eventually(() => expect(ends).to.have.length(2));
    await restart(1_500, async () => {
      for (const end of ends) end();
    });
    const queue = ctx.queues.all().find(({ name }) => name === 'mail')!;
    await eventually(async () => expect(await queue.getCompletedCount()).to.equal(2), { timeoutMs: 40_000 });
    expect(attempts.get('ends')).to.deep.equal([1]);
    expect(new Set(attempts.get('reads'))).to.deep.equal(new Set([1]));
    expect(await queue.getFailedCount()).to.equal(0);
  });
});
