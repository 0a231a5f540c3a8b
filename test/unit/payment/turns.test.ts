import { expect } from 'chai';
import { createTurns } from '../../../shared/payment/turns.js';
import { rejection } from '../../support/rejection.js';

describe('turns', () => {
  interface Run {
    readonly end: (result: string) => void;
    readonly fail: (error: Error) => void;
  }
  let runs: Run[];
  let take: (key?: string) => Promise<string>;

  beforeEach(() => {
    const turns = createTurns<string>();
    runs = [];
    take = (key = 'a') =>
      turns(key, () => new Promise<string>((resolve, reject) => runs.push({ end: resolve, fail: reject })));
  });
  const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('give all who come while one runs a single further run, begun after they came', async () => {
    const first = take();
    const later = [take(), take(), take()];
    expect(runs).to.have.length(1);
    runs[0]?.end('one');
    expect(await first).to.equal('one');
    await soon();
    expect(runs).to.have.length(2);
    const last = take();
    runs[1]?.end('two');
    expect(await Promise.all(later)).to.deep.equal(['two', 'two', 'two']);
    await soon();
    runs[2]?.end('three');
    expect(await last).to.equal('three');
  });

  it('fail for those who share them, and for nobody after', async () => {
    const first = take();
    const second = take();
    runs[0]?.fail(new Error('no'));
    expect((await rejection(first)).message).to.equal('no');
    await soon();
    runs[1]?.end('yes');
    expect(await second).to.equal('yes');
    await soon();
    const third = take();
    expect(runs).to.have.length(3);
    runs[2]?.end('again');
    expect(await third).to.equal('again');
  });

  it('of different keys do not wait for each other', async () => {
    const [first, second] = [take('a'), take('b')];
    runs[1]?.end('b');
    expect(await second).to.equal('b');
    runs[0]?.end('a');
    expect(await first).to.equal('a');
  });
});
