import { expect } from 'chai';
import { Concurrency } from '../../../shared/platform/concurrency.js';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { rejection } from '../../support/rejection.js';

describe('Work in turn', () => {
  it('runs as many of a key at a time as allowed, the others in the order of their calls; keys are separate', async () => {
    const concurrency = new Concurrency();
    const began: number[] = [];
    const ends: (() => void)[] = [];
    const run = (key: string, number: number) =>
      concurrency.runInSlot(key, 2, () => {
        began.push(number);
        return new Promise<void>((end) => ends.push(end));
      });
    const all = [run('a', 1), run('a', 2), run('a', 3), run('a', 4), run('b', 5)];
    await new Promise(setImmediate);
    expect(began).to.deep.equal([1, 2, 5]);
    ends[1]?.();
    await new Promise(setImmediate);
    expect(began).to.deep.equal([1, 2, 5, 3]);
    ends[0]?.();
    await new Promise(setImmediate);
    for (const end of ends) end();
    await Promise.all(all);
    expect(began).to.deep.equal([1, 2, 5, 3, 4]);
  });

  it('rejects what finds a hundred waiting; an error ends a turn', async () => {
    const concurrency = new Concurrency();
    let end = (): void => {};
    const first = concurrency.runInSlot('a', 1, () => new Promise<void>((resolve) => (end = resolve)));
    const failed = rejection(concurrency.runInSlot('a', 1, () => Promise.reject(new Error('wrong'))));
    const waiting = Array.from({ length: 99 }, (_, number) => concurrency.runInSlot('a', 1, async () => number));
    const beyond = concurrency.runInSlot('a', 1, async () => -1);
    expect(await rejection(beyond)).to.be.instanceOf(TooManyRequestsError);
    end();
    await first;
    expect(await failed).to.have.property('message', 'wrong');
    expect(await Promise.all(waiting)).to.deep.equal(Array.from({ length: 99 }, (_, number) => number));
  });
});
