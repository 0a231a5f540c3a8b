import { expect } from 'chai';
import { exceptAfterFailure } from '../../../workers/live/repeat.js';

describe('the sweep of a live process', () => {
  it('is skipped once when the database recovers, so that lease owners can renew first', async () => {
    const calls: string[] = [];
    let isDown = false;
    const call = (name: string) => async () => {
      calls.push(isDown ? `${name} fails` : name);
      if (isDown) throw new Error('connection refused');
    };
    const work = exceptAfterFailure(call('sweep'), call('test'));
    const round = (): Promise<unknown> => work().catch(() => {});
    await round();
    isDown = true;
    await round();
    await round();
    isDown = false;
    await round();
    await round();
    expect(calls).to.deep.equal(['sweep', 'sweep fails', 'test fails', 'test', 'sweep']);
  });
});
