import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { ImageQueue } from '../../../shared/content/imageQueue.js';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { rejection } from '../../support/rejection.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('the queue of images', () => {
  const queue = fixtureEach(() => new ImageQueue());
  let log: string[];
  let running: number;
  let most: number;

  beforeEach(() => {
    log = [];
    running = 0;
    most = 0;
  });

  const image = (name: string) => async (): Promise<string> => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    log.push(name);
    return name;
  };

  it('decodes one at a time, and the turn passes from one user to the next', async () => {
    const ada = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('ada', image(name)));
    const bob = ['b1', 'b2'].map((name) => queue.run('bob', image(name)));
    expect(await Promise.all([...ada, ...bob])).to.deep.equal(['a1', 'a2', 'a3', 'a4', 'b1', 'b2']);
    expect(log).to.deep.equal(['a1', 'a2', 'b1', 'a3', 'b2', 'a4']);
    expect(most).to.equal(1);
  });

  it('continues after an image that fails', async () => {
    const failing = queue.run('ada', () => Promise.reject(new Error('damaged')));
    const next = queue.run('ada', image('a2'));
    expect(await rejection(failing)).to.include({ message: 'damaged' });
    expect(await next).to.equal('a2');
  });

  it('is short: rejects what exceeds it, of one user and of all', async () => {
    const ada = Array.from({ length: 60 }, (_, index) => queue.run('ada', image(`a${index}`)));
    const settled = await Promise.allSettled(ada);
    // One is being decoded while 50 wait.
    expect(settled.filter(({ status }) => status === 'fulfilled')).to.have.length(51);
    expect(settled.flatMap((each) => (each.status === 'rejected' ? each.reason : []))[0])
      .to.be.instanceOf(TooManyRequestsError)
      .and.include({ retryAfterSeconds: 2 });
    const many = Array.from({ length: 500 }, (_, index) => queue.run(`user ${index}`, image('x')));
    const accepted = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled');
    expect(accepted).to.have.length(401);
  });

  it('admits the first image of a user although others have many', async () => {
    const busy = Promise.allSettled(
      ['ada', 'bob', 'eve'].flatMap((name) => Array.from({ length: 50 }, () => queue.run(name, image(name)))),
    );
    const first = queue.run('zoe', image('zoe'));
    expect(await first).to.equal('zoe');
    expect(log.indexOf('zoe'), 'after one image of each other user').to.be.at.most(4);
    expect((await busy).filter(({ status }) => status === 'rejected')).to.have.length(49);
  });

  it('runs shared work once for all callers, and again after it has failed', async () => {
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
