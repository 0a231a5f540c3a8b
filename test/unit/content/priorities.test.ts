import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { nextPriority, priorityAt } from '../../../shared/content/chunkPriority.js';
import { assertFaultOfImage } from '../../../shared/content/image.js';
import { ImageQueue } from '../../../shared/content/imageQueue.js';
import { InsufficientStorageError, TooManyRequestsError, UnavailableError } from '../../../shared/platform/errors.js';

interface Waiting {
  readonly owner: number;
  readonly video: number;
  readonly priority: number;
}

/** The chunk queue in the order in which workers take jobs: lowest priority number first, then first in, first out. */
class Line {
  readonly #waiting: Waiting[] = [];
  #videos = 0;

  arrive(owner: number, chunks: number, isBehindOthers = false): number {
    const like = this.#waiting.filter(({ priority }) => priority >= 1_000_000 === isBehindOthers);
    const running = like.length === 0 ? null : Math.min(...like.map(({ priority }) => priority));
    const owned = like.filter((chunk) => chunk.owner === owner).map(({ priority }) => priority);
    const first = nextPriority(running, owned.length === 0 ? null : Math.max(...owned), isBehindOthers);
    const video = (this.#videos += 1);
    for (let position = 0; position < chunks; position += 1)
      this.#waiting.push({ owner, video, priority: priorityAt(first, position) });
    return video;
  }

  take(): Waiting | undefined {
    const lowest = Math.min(...this.#waiting.map(({ priority }) => priority));
    const index = this.#waiting.findIndex(({ priority }) => priority === lowest);
    return index < 0 ? undefined : this.#waiting.splice(index, 1)[0];
  }
}

describe('chunkPriority', () => {
  it('puts a short clip before the rest of a long video of another owner', () => {
    const line = new Line();
    line.arrive(1, 300);
    for (let taken = 0; taken < 100; taken += 1) line.take();
    const clip = line.arrive(2, 1);
    const next = [line.take(), line.take()].map((chunk) => chunk?.video);
    expect(next).to.include(clip);
  });

  it('alternates between the videos of two owners, in any order of arrival and at any progress', () => {
    const line = new Line();
    line.arrive(1, 300);
    for (let taken = 0; taken < 100; taken += 1) line.take();
    line.arrive(2, 300);
    const owners = Array.from({ length: 20 }, () => line.take()?.owner);
    expect(owners.filter((owner) => owner === 1)).to.have.length.within(9, 11);
  });

  it('puts the videos of one owner one after the other, and their first chunks first', () => {
    const line = new Line();
    line.arrive(1, 5);
    line.arrive(1, 5);
    expect(Array.from({ length: 10 }, () => line.take()?.video)).to.deep.equal([1, 1, 1, 1, 1, 2, 2, 2, 2, 2]);
  });

  it('puts the videos of owners beyond their allowance after all others, which alternate among themselves', () => {
    const line = new Line();
    line.arrive(1, 4, true);
    line.arrive(2, 2, true);
    line.arrive(3, 3);
    line.take();
    line.arrive(4, 2);
    const owners = Array.from({ length: 10 }, () => line.take()?.owner);
    expect(owners.slice(0, 4)).to.have.members([3, 3, 4, 4]);
    expect(owners.slice(4)).to.deep.equal([1, 2, 1, 2, 1, 1]);
  });

  it('limits each owner to a fair share while others wait', () =>
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 5, max: 40 }), { minLength: 2, maxLength: 4 }), (videos) => {
        const line = new Line();
        videos.forEach((chunks, owner) => line.arrive(owner, chunks));
        const rounds = Math.min(...videos);
        const taken = videos.map(() => 0);
        for (let turn = 0; turn < rounds * videos.length; turn += 1) {
          const owner = line.take()?.owner ?? 0;
          taken[owner] = (taken[owner] ?? 0) + 1;
          expect(Math.max(...taken) - Math.min(...taken)).to.be.at.most(1);
        }
      }),
    ));
});

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
