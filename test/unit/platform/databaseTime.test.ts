import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Context } from '../../../shared/platform/context.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { DatabaseClock } from '../../../shared/platform/database/databaseTime.js';
import { ReplicaProgress } from '../../../shared/platform/database/replicaProgress.js';
import { fixtureEach } from '../../support/fixtures.js';

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
