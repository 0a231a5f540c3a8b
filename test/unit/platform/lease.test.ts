import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import sinon from 'sinon';
import { LeaseRenewal, LeaseLostError, underLease } from '../../../shared/platform/lease/index.js';
import type { JobRun } from '../../../workers/runtime/jobTypes.js';
import { outageOf } from '../../../shared/platform/outage.js';
import { rejection } from '../../support/eventually.js';
import { fixtureEach } from '../../support/fixtures.js';

const log = pino({ level: 'silent' });

describe('the renewal of a lease', () => {
  const clock = fixtureEach(() => sinon.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
  let renewal: LeaseRenewal;
  afterEach(() => {
    renewal.stop();
    clock.restore();
  });

  function keep(renew: () => Promise<boolean>): void {
    renewal = new LeaseRenewal({ renew, everyMs: 2_000, lostAfterMs: 45_000, log });
  }

  const loss = (): string | null => (renewal.lost.aborted ? (renewal.lost.reason as Error).message : null);

  it('happens every two seconds until it is stopped', async () => {
    let renewals = 0;
    keep(async () => (renewals += 1) > 0);
    await clock.tickAsync(10_000);
    expect(renewals).to.equal(5);
    renewal.stop();
    await clock.tickAsync(60_000);
    expect(renewals).to.equal(5);
    expect(loss()).to.equal(null);
  });

  it('stops if another process owns the lease', async () => {
    let renewals = 0;
    keep(async () => (renewals += 1) === 0);
    await clock.tickAsync(60_000);
    expect(loss()).to.equal('the lease was lost');
    expect(renewals).to.equal(1);
  });

  it('survives a database outage of 40 s, and gives up after 45 s', async () => {
    let isDown = false;
    keep(() =>
      isDown ? Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' })) : Promise.resolve(true),
    );
    await clock.tickAsync(4_000);
    isDown = true;
    await clock.tickAsync(40_000);
    isDown = false;
    await clock.tickAsync(4_000);
    isDown = true;
    await clock.tickAsync(42_000);
    expect(loss()).to.equal(null);
    await clock.tickAsync(6_000);
    expect(loss()).to.equal('the lease could not be renewed');
    // An attempt that ends this way is no evidence against its work.
    expect(outageOf(renewal.lost.reason)).to.equal('server unreachable');
  });

  it('gives up after one attempt if the database never responds', async () => {
    let renewals = 0;
    keep(() => {
      renewals += 1;
      return new Promise(() => {});
    });
    await clock.tickAsync(60_000);
    expect(renewals).to.equal(1);
    expect(loss()).to.equal('the lease could not be renewed');
  });

  it('does not renew a lost lease', async () => {
    let renewals = 0;
    keep(async () => (renewals += 1) === 0);
    await clock.tickAsync(2_000);
    expect(await rejection(renewal.renew())).to.equal(renewal.lost.reason);
    expect(renewals).to.equal(1);
  });

  it('reports no loss after it was stopped', async () => {
    let respond: (held: boolean) => void = () => {};
    keep(() => new Promise((resolve) => (respond = resolve)));
    await clock.tickAsync(2_000);
    renewal.stop();
    respond(false);
    await clock.tickAsync(2_000);
    expect(loss()).to.equal(null);
  });
});

describe('work under a lease', () => {
  const leaseMs = 600;

  function jobRun(signal = new AbortController().signal): JobRun<unknown> {
    return { ctx: { config: { worker: { lockSeconds: leaseMs / 1000 } } }, log, signal } as JobRun<unknown>;
  }

  const untilAborted = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('the work was aborted'))));

  it('renews its lease after each third of the lease duration', async () => {
    let renewals = 0;
    const renew = async (): Promise<boolean> => (renewals += 1) > 0;
    await underLease(jobRun(), renew, () => sleep(leaseMs * 1.5));
    expect(renewals).to.be.within(3, 4);
    await sleep(leaseMs / 2);
    expect(renewals).to.be.within(3, 4);
  });

  it('renews its lease at once to write progress', async () => {
    let renewals = 0;
    const renew = async (): Promise<boolean> => (renewals += 1) > 0;
    await underLease(jobRun(), renew, async (_, renewNow) => renewNow());
    expect(renewals).to.equal(1);
  });

  it('is aborted when the lease is lost', async () => {
    const work = underLease(jobRun(), async () => false, untilAborted);
    expect(await rejection(work)).to.be.instanceOf(LeaseLostError);
  });

  it('is aborted if no renewal succeeds for the lease duration', async () => {
    const began = performance.now();
    const away = async (): Promise<boolean> => {
      throw new Error('the database is away');
    };
    expect(await rejection(underLease(jobRun(), away, untilAborted))).to.match(/could not be renewed/);
    expect(performance.now() - began).to.be.above(leaseMs);
  });

  it('stops renewals after its handler was abandoned', async () => {
    const abandoning = new AbortController();
    let renewals = 0;
    let renewNow = (): void => {};
    const renew = async (): Promise<boolean> => (renewals += 1) > 0;
    const work = underLease({ ...jobRun(), abandoned: abandoning.signal }, renew, async (_, now) => {
      renewNow = now;
      await sleep(leaseMs * 1.5);
    });
    abandoning.abort();
    renewNow();
    await work;
    expect(renewals).to.equal(0);
  });

  it('ends with the job', async () => {
    const job = new AbortController();
    const work = underLease(jobRun(job.signal), async () => true, untilAborted);
    job.abort(new Error('the process ends'));
    expect(await rejection(work)).to.match(/the process ends/);
  });
});
