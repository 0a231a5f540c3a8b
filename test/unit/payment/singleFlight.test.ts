import { expect } from 'chai';
import { createSingleFlight } from '../../../shared/payment/singleFlight.js';
import { rejection } from '../../support/rejection.js';

describe('single-flight', () => {
  interface Run {
    readonly end: (result: string) => void;
    readonly fail: (error: Error) => void;
  }
  let runs: Run[];
  let call: (key?: string) => Promise<string>;

  beforeEach(() => {
    const run = createSingleFlight<string>();
    runs = [];
    call = (key = 'a') =>
      run(key, (begin) => {
        begin();
        return new Promise<string>((resolve, reject) => runs.push({ end: resolve, fail: reject }));
      });
  });
  const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

  it('starts one further run for all calls during a run', async () => {
    const first = call();
    const later = [call(), call(), call()];
    expect(runs).to.have.length(1);
    runs[0]?.end('one');
    expect(await first).to.equal('one');
    await soon();
    expect(runs).to.have.length(2);
    const last = call();
    runs[1]?.end('two');
    expect(await Promise.all(later)).to.deep.equal(['two', 'two', 'two']);
    await soon();
    runs[2]?.end('three');
    expect(await last).to.equal('three');
  });

  it('rejects only the callers of a failed run', async () => {
    const first = call();
    const second = call();
    runs[0]?.fail(new Error('no'));
    expect((await rejection(first)).message).to.equal('no');
    await soon();
    runs[1]?.end('yes');
    expect(await second).to.equal('yes');
    await soon();
    const third = call();
    expect(runs).to.have.length(3);
    runs[2]?.end('again');
    expect(await third).to.equal('again');
  });

  it('returns one result to all callers before the work starts', async () => {
    const run = createSingleFlight<string>();
    let begins = (): void => {};
    let count = 0;
    const gathering = (): Promise<string> =>
      run('a', async (begin) => {
        count += 1;
        await new Promise<void>((resolve) => (begins = resolve));
        begin();
        await soon();
        return `run ${count}`;
      });
    const early = [gathering(), gathering(), gathering()];
    begins();
    await Promise.resolve();
    await Promise.resolve();
    const late = gathering();
    expect(await Promise.all(early)).to.deep.equal(['run 1', 'run 1', 'run 1']);
    await soon();
    begins();
    expect(await late).to.equal('run 2');
  });

  it('runs different keys concurrently', async () => {
    const [first, second] = [call('a'), call('b')];
    runs[1]?.end('b');
    expect(await second).to.equal('b');
    runs[0]?.end('a');
    expect(await first).to.equal('a');
  });
});
