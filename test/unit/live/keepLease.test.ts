import { expect } from 'chai';
import { pino } from 'pino';
import sinon, { type SinonFakeTimers } from 'sinon';
import { keepLease } from '../../../workers/live/keepLease.js';

describe('keeping the lease of a run', () => {
  let clock: SinonFakeTimers;
  let lost: string[];
  let stop: () => void;
  const log = pino({ level: 'silent' });

  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
    lost = [];
  });
  afterEach(() => {
    stop();
    clock.restore();
  });

  function keep(renew: () => Promise<boolean>): void {
    stop = keepLease({ renew, onLost: (reason) => void lost.push(reason), log });
  }

  it('renews every two seconds until it is stopped', async () => {
    let renewals = 0;
    keep(async () => (renewals += 1) > 0);
    await clock.tickAsync(10_000);
    expect(renewals).to.equal(5);
    stop();
    await clock.tickAsync(60_000);
    expect(renewals).to.equal(5);
    expect(lost).to.deep.equal([]);
  });

  it('reports once that another process has the lease', async () => {
    keep(async () => false);
    await clock.tickAsync(60_000);
    expect(lost).to.deep.equal(['lease lost']);
  });

  it('outlasts a database that is down for 40 s, and gives up after 45 s', async () => {
    let isDown = false;
    keep(() => (isDown ? Promise.reject(new Error('down')) : Promise.resolve(true)));
    await clock.tickAsync(4_000);
    isDown = true;
    await clock.tickAsync(40_000);
    isDown = false;
    await clock.tickAsync(4_000);
    isDown = true;
    await clock.tickAsync(42_000);
    expect(lost).to.deep.equal([]);
    await clock.tickAsync(6_000);
    expect(lost).to.deep.equal(['no database']);
  });

  it('gives up when the database does not respond at all, and asks only once meanwhile', async () => {
    let renewals = 0;
    keep(() => {
      renewals += 1;
      return new Promise(() => {});
    });
    await clock.tickAsync(60_000);
    expect(renewals).to.equal(1);
    expect(lost).to.deep.equal(['no database']);
  });

  it('does not report a loss after it was stopped', async () => {
    let answer: (held: boolean) => void = () => {};
    keep(() => new Promise((resolve) => (answer = resolve)));
    await clock.tickAsync(2_000);
    stop();
    answer(false);
    await clock.tickAsync(2_000);
    expect(lost).to.deep.equal([]);
  });
});
