import { setTimeout as sleep } from 'node:timers/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import pg from 'pg';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { noteJob } from '../../support/queueHarness.js';
import { startTestRedis, type TestRedis } from '../../support/redis.js';
import { startWorkers } from '../../support/workers.js';
import { describeWith, requirements } from '../../support/requirements.js';
import { fixtureEach } from '../../support/fixtures.js';
import { OutboxJob } from '../../../shared/platform/queue/outbox/outbox.model.js';
import { storedRows } from '../../support/rows.js';

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

const jobOfOneAttempt = noteJob({ attempts: 1 });

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

  const add = (id: string): Promise<void> => ctx.db.transaction((tx) => ctx.outbox.add(tx, jobOfOneAttempt, { id }));

  it('reconnects when idle', async () => {
    const seen: string[] = [];
    workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [jobOfOneAttempt.name]: handledBy(jobOfOneAttempt, async ({ payload }) => seen.push(payload.id)) },
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
    const run = handledBy(jobOfOneAttempt, async ({ payload: { id }, attempt }) => {
      const before = attempts.get(id)?.push(attempt);
      if (before === 1) await new Promise<void>((resolve) => ends.push(resolve));
      if (id === 'reads') await ctx.db.rows('SELECT 1');
    });
    workers = await startWorkers(ctx, { queues: ['mail'], handlers: { [jobOfOneAttempt.name]: run } });
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

const redisUrl = process.env['TEST_REDIS_URL'];

/** A Redis proxy that can be disconnected. */
class Line {
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  port = 0;

  async open(): Promise<void> {
    const { hostname, port } = new URL(redisUrl as string);
    this.server = createServer((near) => {
      const far = connect(Number(port || 6379), hostname);
      for (const socket of [near, far]) {
        this.sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
      near.pipe(far).pipe(near);
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as { port: number }).port;
  }

  async cut(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    this.sockets.clear();
    await closed;
    this.server = undefined;
  }
}

describeWith(requirements.redisQueues, 'a Redis outage', () => {
  let line: Line;
  let ctx: TestContext;
  let workers: { close: () => Promise<void> } | undefined;

  beforeEach(async () => {
    line = new Line();
    await line.open();
    ctx = await openTestContext({ REDIS_URL: `redis://127.0.0.1:${line.port}`, WORKER_LOCK_SECONDS: '2' });
  });

  afterEach(async () => {
    await workers?.close();
    workers = undefined;
    await ctx.close();
    await line.cut();
  });

  const add = (id: string): Promise<void> => ctx.db.transaction((tx) => ctx.outbox.add(tx, noteJob(), { id }));

  it('accepts jobs, fails queue calls at once, and runs all jobs when Redis is back', async () => {
    const seen: string[] = [];
    workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [noteJob().name]: handledBy(noteJob(), async ({ payload }) => seen.push(payload.id)) },
    });
    await add('before');
    await eventually(() => expect(seen).to.deep.equal(['before']));
    await line.cut();
    await eventually(async () => expect(await ctx.queues.check().catch((error: Error) => error)).to.be.an('error'));
    const began = performance.now();
    for (const id of ['a', 'b', 'c']) await add(id);
    // The publication after a commit may have claimed the rows; then there is nothing left to publish.
    await eventually(async () => expect(await ctx.outbox.publish().catch((error: Error) => error)).to.be.an('error'));
    expect(performance.now() - began).to.be.below(3_000);
    await line.open();
    await eventually(() => expect(seen).to.have.members(['before', 'a', 'b', 'c']), { timeoutMs: 20_000 });
  });

  it('lets a running job continue, and completes it once', async () => {
    let runs = 0;
    let finish = (): void => {};
    const handlers = {
      [noteJob().name]: handledBy(noteJob(), async () => {
        runs++;
        if (runs === 1) await new Promise<void>((resolve) => (finish = resolve));
      }),
    };
    workers = await startWorkers(ctx, { queues: ['mail'], handlers });
    await add('a');
    await eventually(() => expect(runs).to.equal(1));
    await line.cut();
    finish();
    await line.open();
    const queue = ctx.queues.all().find(({ name }) => name === 'mail')!;
    await eventually(async () => expect(await queue.getCompletedCount()).to.equal(1), { timeoutMs: 20_000 });
    expect(runs).to.equal(1);
  });

  it('lets a process start, which serves its queues when Redis is back', async () => {
    await line.cut();
    let runs = 0;
    workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [noteJob().name]: handledBy(noteJob(), async () => runs++) },
    });
    await add('a');
    expect(await ctx.queues.check().catch((error: Error) => error)).to.be.an('error');
    expect(await storedRows(ctx, OutboxJob)).to.have.length(1);
    await line.open();
    await eventually(() => expect(runs).to.equal(1), { timeoutMs: 20_000 });
  });

  it('lets workers shut down in time', async () => {
    workers = await startWorkers(ctx, {
      queues: ['mail'],
      handlers: { [noteJob().name]: handledBy(noteJob(), async () => {}) },
    });
    await line.cut();
    const began = performance.now();
    await workers.close();
    expect(performance.now() - began).to.be.below(4_000);
  });
});
