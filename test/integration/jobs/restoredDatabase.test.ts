import { expect } from 'chai';
import pg from 'pg';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { noteJob } from '../../support/queueHarness.js';
import { startTestRedis, type TestRedis } from '../../support/redis.js';
import { startWorkers } from '../../support/workers.js';
import { describeWith, requirements } from '../../support/requirements.js';

const job = noteJob();

describeWith(requirements.redis, 'a new or restored database with an existing Redis', () => {
  let redis: TestRedis;
  let server: pg.Client;
  const closings: (() => Promise<unknown>)[] = [];

  before(async () => {
    redis = await startTestRedis();
    server = new pg.Client({ connectionString: process.env['TEST_DATABASE_URL'] });
    await server.connect();
  });
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close();
  });
  after(async () => {
    await server?.end();
    await redis?.close();
  });

  /** A service whose workers record the jobs they run. */
  async function open(settings: Record<string, string> = {}): Promise<{ ctx: TestContext; seen: string[] }> {
    const ctx = await openTestContext({ REDIS_URL: redis.url, QUEUE_PREFIX: 'restored', ...settings });
    const seen: string[] = [];
    closings.push(() => ctx.close());
    return { ctx, seen };
  }

  async function serve({ ctx, seen }: Awaited<ReturnType<typeof open>>): Promise<() => Promise<void>> {
    const handlers = { [job.name]: handledBy(job, async ({ payload }) => seen.push(payload.id)) };
    const workers = await startWorkers(ctx, { queues: ['mail'], handlers });
    closings.push(workers.close);
    return workers.close;
  }

  /** Committed, but not published before the workers run. */
  const commit = (ctx: TestContext, ids: readonly string[]): Promise<number> =>
    ctx.db.change(
      `INSERT INTO outbox (queue, job, job_key, repeats, payload, attempts, backoff_ms)
       SELECT 'mail', 'test.note', 'note-' || id, 'once', jsonb_build_object('id', id), 3, 10
         FROM unnest($ids::text[]) AS id`,
      { ids },
    );

  /** A copy of the current database, as a backup contains it. */
  async function backUp(ctx: TestContext): Promise<string> {
    const url = new URL(ctx.config.database.url);
    const name = url.pathname.slice(1);
    await server.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    await server.query(`CREATE DATABASE ${name}_backup TEMPLATE ${name}`);
    closings.unshift(() => server.query(`DROP DATABASE ${name}_backup WITH (FORCE)`));
    url.pathname = `/${name}_backup`;
    return url.href;
  }

  it('runs every job, although its rows reuse the numbers of the previous database', async () => {
    for (const ids of [
      ['a', 'b'],
      ['c', 'd', 'e'],
    ]) {
      const service = await open();
      const stop = await serve(service);
      await commit(service.ctx, ids);
      await eventually(() => expect(service.seen).to.have.members(ids));
      await stop();
    }
  });

  it('runs the jobs of the restored rows again, including one in flight at the time of the backup', async () => {
    const service = await open();
    const { ctx, seen } = service;
    await commit(ctx, ['waiting', 'travelling']);
    await ctx.db.change(
      `UPDATE outbox SET claimed_until = now() - interval '1 second', publication_id = gen_random_uuid()
        WHERE job_key = 'note-travelling'`,
    );
    const backup = await backUp(ctx);
    const stop = await serve(service);
    await eventually(() => expect(seen).to.have.members(['waiting', 'travelling']));
    const queue = ctx.queues.all().find(({ name }) => name === 'mail')!;
    await eventually(async () => expect(await queue.getActiveCount()).to.equal(0));
    await stop();
    const { client } = queue.getBackend() as unknown as {
      client: Promise<{ hset(key: string, field: string, value: number): Promise<unknown> }>;
    };
    for (const done of await queue.getCompleted())
      await (await client).hset(queue.toKey(done.id ?? ''), 'finishedOn', Date.now() - 3_600_000);
    const restored = await open({ DATABASE_URL: backup });
    await serve(restored);
    await eventually(() => expect(restored.seen).to.have.members(['waiting', 'travelling']), { timeoutMs: 10_000 });
  });
});
