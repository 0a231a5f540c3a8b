import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { handledBy } from '../../../workers/runtime/jobTypes.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { noteJob } from '../../support/queueHarness.js';
import { startWorkers } from '../../support/workers.js';
import { OutboxJob } from '../../../shared/platform/queue/outbox/outbox.model.js';
import { storedRows } from '../../support/rows.js';
import { describeWith, requirements } from '../../support/requirements.js';

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
