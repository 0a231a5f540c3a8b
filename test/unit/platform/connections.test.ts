import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextIteration, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Context } from '../../../shared/platform/context.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { DatabaseClock } from '../../../shared/platform/database/databaseTime.js';
import { openDatabase } from '../../../shared/platform/database/openDatabase.js';
import { ReplicaProgress } from '../../../shared/platform/database/replicaProgress.js';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { MalformedRequestError, NotFoundError } from '../../../shared/platform/errors.js';
import { endsOneExchange } from '../../../shared/processLifecycle.js';
import { fixtureEach } from '../../support/fixtures.js';
import { rejection } from '../../support/eventually.js';

/** A PostgreSQL message: type, length, content. */
function postgresMessage(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(4 + content.length);
  return Buffer.concat([Buffer.from(type), length, content]);
}

const fields = ['SFATAL', 'C57P01', 'Mterminating connection due to administrator command'];
const acceptedLogin = Buffer.concat([postgresMessage('R', Buffer.alloc(4)), postgresMessage('Z', Buffer.from('I'))]);
const ended = postgresMessage('E', Buffer.from(`${fields.join('\0')}\0\0`));

describe('a database that closes each new connection', () => {
  let server: Server;
  let url: string;
  const uncaught: unknown[] = [];
  const onUncaught = (error: unknown): void => void uncaught.push(error);
  let usual: NodeJS.UncaughtExceptionListener[];

  before(async () => {
    server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.concat([acceptedLogin, ended])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/none`;
    usual = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
  });
  after(() => {
    process.removeListener('uncaughtException', onUncaught);
    for (const listener of usual) process.on('uncaughtException', listener);
    server.close();
  });

  it('fails the statement and does not end the process', async () => {
    const db = openDatabase({ url, poolSize: 1, models: [] });
    expect(await rejection(db.rows('SELECT 1'))).to.be.an('error');
    await db.close();
    expect(uncaught.splice(0)).to.deep.equal([]);
  });
});

describe('An emitter with an error listener', () => {
  const failure = new Error('it has failed');

  it('keeps the error of a stream for a later reader', async () => {
    for (const read of [
      async (stream: PassThrough) => void (await stream.toArray()),
      (stream: PassThrough) => pipeline(stream, new Writable()),
    ]) {
      const stream = withErrorListener(new PassThrough());
      stream.destroy(failure);
      await nextIteration();
      expect(await rejection(read(stream))).to.equal(failure);
    }
  });

  it('reports the error to a listener', async () => {
    const errors: Error[] = [];
    withErrorListener(new PassThrough(), (error) => errors.push(error)).destroy(failure);
    await nextIteration();
    expect(errors).to.deep.equal([failure]);
  });

  it('covers the pipes of a child process that reads nothing', async () => {
    const child = withErrorListener(spawn('/bin/sh', ['-c', 'exec <&-; echo closed; exec sleep 60']));
    await once(child.stdout, 'data');
    const closed = once(child.stdin, 'close').catch(() => {});
    child.stdin.write('nobody reads this');
    await closed;
    expect(child.stdin.errored).to.include({ code: 'EPIPE' });
    child.kill();
    await once(child, 'exit');
  });

  it('covers the connections of a server', async () => {
    const server = withErrorListener(createServer()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = withErrorListener(connect((server.address() as AddressInfo).port, '127.0.0.1'));
    const [socket] = await accepted;
    const closed = once(client, 'close');
    socket.destroy(failure);
    await closed;
    expect(socket.errored).to.equal(failure);
    server.close();
  });
});

describe('An uncaught error', () => {
  it('leaves the process running only if it describes one request or job', () => {
    const codes = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'];
    const ofOne = [
      new MalformedRequestError({ key: 'upload.aborted' }),
      new NotFoundError(),
      ...codes.map((code) => Object.assign(new Error(code), { code })),
    ];
    expect(ofOne.filter((error) => !endsOneExchange(error))).to.deep.equal([]);
    const defects = [new TypeError('x is not a function'), new Error('defect'), 'text', null, undefined];
    const others = [...defects, Object.assign(new Error('no space'), { code: 'ENOSPC' })];
    expect(others.filter((error) => endsOneExchange(error))).to.deep.equal([]);
  });
});

/** A database whose clock is ahead of this process by a number of microseconds. */
class FakeDatabase {
  aheadBy = 0;
  reads = 0;
  isUnreachable = false;
  /** Without a free connection, a statement outside a transaction never ends. */
  hasFreeConnection = true;

  readonly ctx = {
    log: { warn: () => {} },
    db: {
      rows: async (_sql: string, _bind: object, tx?: Transaction) => {
        if (!tx && !this.hasFreeConnection) await new Promise(() => {});
        this.reads += 1;
        if (this.isUnreachable) throw new Error('the database is away');
        return [{ time: Math.round(performance.now() * 1000) + this.aheadBy }];
      },
    },
  } as unknown as Context;
}

const minuteMs = 60_000;

/** A busy machine may pause between two clock reads. The steps of the tests are longer. */
const toleranceMicroseconds = 2e6;

describe('the database time', () => {
  const database = fixtureEach(() => new FakeDatabase());
  let shiftMs = 0;

  beforeEach(() => {
    shiftMs = 0;
    const real = performance.now.bind(performance);
    sinon.stub(performance, 'now').callsFake(() => real() + shiftMs);
  });
  afterEach(() => sinon.restore());

  /** Calls the clock twice: the first call after the interval reads the database time in the background. */
  async function after(clock: DatabaseClock, ms: number): Promise<number> {
    shiftMs += ms;
    await clock.now(database.ctx);
    await sleep(5);
    return clock.now(database.ctx);
  }

  it('does not depend on the machine’s clock', async () => {
    database.aheadBy = 3_600e6;
    const one = await new DatabaseClock().now(database.ctx);
    sinon.stub(Date, 'now').returns(0);
    const other = await new DatabaseClock().now(database.ctx);
    expect(other - one).to.be.closeTo(0, toleranceMicroseconds);
    expect(one - performance.now() * 1000).to.be.closeTo(3_600e6, toleranceMicroseconds);
  });

  it('is first read on a transaction’s connection if all other connections wait for that read', async () => {
    database.hasFreeConnection = false;
    const clock = new DatabaseClock();
    void clock.now(database.ctx);
    expect(await clock.now(database.ctx, {} as Transaction)).to.be.a('number');
  });

  it('is read once for many calls, and again after an interval', async () => {
    const clock = new DatabaseClock();
    await Promise.all(Array.from({ length: 20 }, async () => clock.now(database.ctx)));
    expect(clock.now(database.ctx)).to.be.a('number');
    expect(database.reads).to.equal(1);
    await after(clock, minuteMs);
    expect(database.reads).to.equal(2);
  });

  it('never goes back, and continues when the database has caught up', async () => {
    const clock = new DatabaseClock();
    const before = await clock.now(database.ctx);
    database.aheadBy = -minuteMs * 1000 - 1e6;
    const stands = await after(clock, minuteMs);
    expect(stands - before).to.be.within(0, minuteMs * 1000 + 1e6);
    expect(await after(clock, 500)).to.be.at.least(stands);
    const later = await after(clock, 10 * minuteMs);
    expect(later - performance.now() * 1000).to.be.closeTo(database.aheadBy, toleranceMicroseconds);
  });

  it('follows a step forward', async () => {
    const clock = new DatabaseClock();
    await clock.now(database.ctx);
    database.aheadBy = 10e6;
    expect((await after(clock, minuteMs)) - performance.now() * 1000).to.be.closeTo(10e6, toleranceMicroseconds);
  });

  it('continues during a database outage, but cannot start in one', async () => {
    const clock = new DatabaseClock();
    const before = await clock.now(database.ctx);
    database.isUnreachable = true;
    expect((await after(clock, 5 * minuteMs)) - before).to.be.closeTo(5 * minuteMs * 1000, toleranceMicroseconds);
    expect(database.reads).to.equal(2);
    const error = await Promise.resolve(new DatabaseClock().now(database.ctx)).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('the database is away');
  });
});

describe('the progress of a replica', () => {
  it('is unknown initially', () => {
    const progress = new ReplicaProgress();
    expect(progress.has(0)).to.equal(false);
    expect(progress.lagMs(1_000)).to.equal(Infinity);
  });

  it('includes all replayed positions', () => {
    const progress = new ReplicaProgress();
    progress.replayed(100);
    expect([99, 100, 101].map((position) => progress.has(position))).to.deep.equal([true, true, false]);
  });

  it('is as recent as the last replayed position of the primary', () => {
    const progress = new ReplicaProgress();
    progress.written(100, 1_000);
    progress.replayed(99);
    expect(progress.lagMs(2_000)).to.equal(Infinity);
    progress.written(200, 2_000);
    progress.replayed(150);
    expect(progress.lagMs(3_000), '100 was written at 1,000').to.equal(2_000);
    progress.written(300, 3_000);
    progress.replayed(299);
    expect(progress.lagMs(4_000)).to.equal(3_000);
    progress.replayed(300);
    expect(progress.lagMs(4_000)).to.equal(1_000);
  });
});
