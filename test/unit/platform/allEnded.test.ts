import { expect } from 'chai';
import { allEnded } from '../../../shared/platform/allEnded.js';
import { rejection } from '../../support/rejection.js';

describe('allEnded', () => {
  it('resolves with all results, in order', async () => {
    expect(await allEnded([Promise.resolve(1), Promise.resolve(2)])).to.deep.equal([1, 2]);
    expect(await allEnded([])).to.deep.equal([]);
  });

  it('rejects with the error of one when all others have ended', async () => {
    let end: (() => void) | undefined;
    let isEnded = false;
    const slow = new Promise<void>((resolve) => (end = resolve)).then(() => (isEnded = true));
    const failed = rejection(allEnded<unknown>([Promise.reject(new Error('first')), slow])).then(({ message }) => [
      message,
      isEnded,
    ]);
    setImmediate(() => end?.());
    expect(await failed).to.deep.equal(['first', true]);
  });
});
