import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger } from '../../../shared/platform/log.js';
import { LeaseLostError, underLease } from '../../../workers/media/lease.js';
import { MediaInterruptedError } from '../../../workers/media/runner.js';
import { ShutdownError, type JobRun } from '../../../workers/runtime/jobTypes.js';
import { rejection } from '../../support/rejection.js';

const leaseMs = 600;

function jobRun(signal = new AbortController().signal): JobRun<unknown> {
  return {
    ctx: { config: { worker: { lockSeconds: leaseMs / 1000 } } },
    log: createLogger({ process: 'test', level: 'silent' }),
    signal,
  } as JobRun<unknown>;
}

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('the work was aborted'))));

describe('a lease', () => {
  it('tells of the shutdown that follows where a tool was ended from outside', async () => {
    const shutdown = new AbortController();
    const interrupted = async (): Promise<never> => {
      setTimeout(() => shutdown.abort(new ShutdownError()), 50);
      throw new MediaInterruptedError('ffmpeg was ended by a signal');
    };
    const error = await rejection(underLease(jobRun(shutdown.signal), async () => true, interrupted));
    expect(error).to.be.instanceOf(ShutdownError);
  });

  it('is renewed at a third of its length while the work runs', async () => {
    let renewals = 0;
    const renew = async (): Promise<boolean> => (renewals += 1) > 0;
    await underLease(jobRun(), renew, () => sleep(leaseMs * 1.5));
    expect(renewals).to.be.within(3, 4);
    await sleep(leaseMs / 2);
    expect(renewals).to.be.within(3, 4);
  });

  it('is renewed at once when the work has progress to write', async () => {
    let renewals = 0;
    const renew = async (): Promise<boolean> => (renewals += 1) > 0;
    await underLease(jobRun(), renew, async (_, renewNow) => renewNow());
    expect(renewals).to.equal(1);
  });

  it('aborts the work when it is lost', async () => {
    const work = underLease(jobRun(), async () => false, untilAborted);
    expect(await work.catch((error: unknown) => error)).to.be.instanceOf(LeaseLostError);
  });

  it('aborts the work when it could not be renewed for its whole length', async () => {
    const began = performance.now();
    const away = async (): Promise<boolean> => {
      throw new Error('the database is away');
    };
    expect(await rejection(underLease(jobRun(), away, untilAborted))).to.match(/could not be renewed/);
    expect(performance.now() - began).to.be.above(leaseMs);
  });

  it('ends with the job', async () => {
    const job = new AbortController();
    const work = underLease(jobRun(job.signal), async () => true, untilAborted);
    job.abort(new Error('the process ends'));
    expect(await rejection(work)).to.match(/the process ends/);
  });
});
