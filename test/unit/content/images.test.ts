import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { assertFaultOfImage } from '../../../shared/content/image.js';
import { ImageQueue } from '../../../shared/content/imageQueue.js';
import { InsufficientStorageError, TooManyRequestsError, UnavailableError } from '../../../shared/platform/errors.js';

const gigabyte = 1024 ** 3;

describe('an image that cannot be decoded', () => {
  const check =
    (message: string, availableBytes = 4 * gigabyte) =>
    () =>
      assertFaultOfImage(new Error(message), availableBytes);

  it('is reported as damaged if the file is at fault, even if the file contains the text of a machine error', () => {
    for (const message of ['VipsJpeg: Premature end of input file', 'Input buffer contains unsupported image format'])
      expect(check(message)).not.to.throw();
    expect(check('vips_tracked: out of memory -- size == 4GB')).not.to.throw();
  });

  it('is not reported as damaged if the machine lacks disk space, memory or file descriptors', () => {
    expect(check('wbuffer_write: write failed\nunix error: No space left on device')).to.throw(
      InsufficientStorageError,
    );
    expect(() => assertFaultOfImage(Object.assign(new Error('write'), { code: 'ENOSPC' }))).to.throw(
      InsufficientStorageError,
    );
    expect(check('vips_tracked: out of memory -- size == 48MB', 100_000_000)).to.throw(UnavailableError);
    expect(check('unable to open: Too many open files')).to.throw(UnavailableError);
  });
});

/** Its order is tested with the fair queue: `test/unit/platform/concurrency.test.ts`. */
describe('the image queue', () => {
  it('decodes one image at a time and rejects images beyond its maximum per user and in total', async () => {
    const queue = new ImageQueue();
    let [running, maxRunning] = [0, 0];
    const image = async (): Promise<void> => {
      maxRunning = Math.max(maxRunning, ++running);
      await setImmediate();
      running -= 1;
    };
    const settled = await Promise.allSettled(Array.from({ length: 60 }, () => queue.run('ada', image)));
    // One image is being decoded while 50 wait.
    expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(51);
    expect(settled.flatMap((each) => (each.status === 'rejected' ? each.reason : []))[0])
      .to.be.instanceOf(TooManyRequestsError)
      .and.include({ retryAfterSeconds: 2 });
    const many = Array.from({ length: 500 }, (_, index) => queue.run(`user ${index}`, image));
    const accepted = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled');
    expect([accepted.length, maxRunning]).to.deep.equal([401, 1]);
  });

  it('runs shared work once for all callers and retries it after a failure', async () => {
    const queue = new ImageQueue();
    let runs = 0;
    const work = (): Promise<void> => {
      runs += 1;
      return runs === 1 ? Promise.reject(new Error('first')) : Promise.resolve();
    };
    const first = [1, 2, 3].map(() => queue.share('640', 'ada', work));
    expect((await Promise.allSettled(first)).map(({ status }) => status)).to.deep.equal(Array(3).fill('rejected'));
    await Promise.all([1, 2, 3].map(() => queue.share('640', 'ada', work)));
    expect(runs).to.equal(2);
  });
});
