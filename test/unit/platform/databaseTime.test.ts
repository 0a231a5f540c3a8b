import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import type { Context } from '../../../shared/platform/context.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { DatabaseClock } from '../../../shared/platform/database/databaseTime.js';
import { ReplicaProgress } from '../../../shared/platform/database/replicaProgress.js';
import { fixtureEach } from '../../support/fixtures.js';

/** A database whose clock is that of this process and so many microseconds. */
class FakeDatabase {
  aheadBy = 0;
  reads = 0;
  isAway = false;
  /** Without one, a statement outside of a transaction waits for ever. */
  hasFreeConnection = true;

  readonly ctx = {
    log: { warn: () => {} },
    db: {
      rows: async (_sql: string, _bind: object, tx?: Transaction) => {
        if (!tx && !this.hasFreeConnection) await new Promise(() => {});
        this.reads += 1;
        if (this.isAway) throw new Error('the database is away');
        return [{ time: Math.round(performance.now() * 1000) + this.aheadBy }];
      },
    },
  } as unknown as Context;
}

const minuteMs = 60_000;
/** A busy machine may stop between two reads of a clock. The steps of the tests are longer. */
const toleranceMicroseconds = 2e6;

describe('time of the database', () => {
  const database = fixtureEach(() => new FakeDatabase());
  let shiftMs = 0;

  beforeEach(() => {
    shiftMs = 0;
    const real = performance.now.bind(performance);
    sinon.stub(performance, 'now').callsFake(() => real() + shiftMs);
  });
  afterEach(() => sinon.restore());

  /** Asks twice: the first call after a while has the database's time read in the background. */
  async function after(clock: DatabaseClock, ms: number): Promise<number> {
    shiftMs += ms;
    await clock.now(database.ctx);
    await sleep(5);
    return clock.now(database.ctx);
  }

  it('is that of the database, whatever the clock of the machine says', async () => {
    database.aheadBy = 3_600e6;
    const one = await new DatabaseClock().now(database.ctx);
    sinon.stub(Date, 'now').returns(0);
    const other = await new DatabaseClock().now(database.ctx);
    expect(other - one).to.be.closeTo(0, toleranceMicroseconds);
    expect(one - performance.now() * 1000).to.be.closeTo(3_600e6, toleranceMicroseconds);
  });

  it('is first read on the connection of a transaction, where all others wait for such a reading', async () => {
    database.hasFreeConnection = false;
    const clock = new DatabaseClock();
    void clock.now(database.ctx);
    expect(await clock.now(database.ctx, {} as Transaction)).to.be.a('number');
  });

  it('is read once for many calls, and again after a while', async () => {
    const clock = new DatabaseClock();
    await Promise.all(Array.from({ length: 20 }, async () => clock.now(database.ctx)));
    expect(clock.now(database.ctx)).to.be.a('number');
    expect(database.reads).to.equal(1);
    await after(clock, minuteMs);
    expect(database.reads).to.equal(2);
  });

  it('never goes back, and goes on when the database has caught up', async () => {
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

  it('runs on while the database is away, and cannot start without it', async () => {
    const clock = new DatabaseClock();
    const before = await clock.now(database.ctx);
    database.isAway = true;
    expect((await after(clock, 5 * minuteMs)) - before).to.be.closeTo(5 * minuteMs * 1000, toleranceMicroseconds);
    expect(database.reads).to.equal(2);
    const error = await Promise.resolve(new DatabaseClock().now(database.ctx)).catch((reason: unknown) => reason);
    expect(String(error)).to.contain('the database is away');
  });
});

describe('the progress of a replica', () => {
  it('is not known at first', () => {
    const progress = new ReplicaProgress();
    expect(progress.has(0)).to.equal(false);
    expect(progress.lagMs(1_000)).to.equal(Infinity);
  });

  it('has what was replayed', () => {
    const progress = new ReplicaProgress();
    progress.replayed(100);
    expect([99, 100, 101].map((position) => progress.has(position))).to.deep.equal([true, true, false]);
  });

  it('is as current as the last position of the primary that was replayed', () => {
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
