import { expect } from 'chai';
import sinon from 'sinon';
import { RefreshedCache } from '../../../shared/platform/refreshedCache.js';

interface Value {
  readonly number: number;
}

const away = async (): Promise<never> => {
  throw new Error('away');
};
const endless = (): Promise<never> => new Promise(() => {});

describe('refreshed cache', () => {
  let clock: sinon.SinonFakeTimers;
  let cache: RefreshedCache<Value>;
  let reads: (Value | null)[];
  beforeEach(() => {
    clock = sinon.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    cache = new RefreshedCache({ lifetimeMs: 1_000, maxEntries: 2 });
    reads = [];
  });
  afterEach(() => clock.restore());

  /** Counts the reads and records the previous value that each read receives. */
  const count = async (previous: Value | null): Promise<Value> => {
    reads.push(previous);
    return { number: reads.length };
  };
  const numberOf = async (key = 'a'): Promise<number | undefined> => (await cache.get(key, count))?.number;

  it('reads again after the lifetime, once for concurrent callers, with the previous value', async () => {
    expect(await Promise.all([numberOf(), numberOf()])).to.deep.equal([1, 1]);
    clock.tick(999);
    expect(await numberOf()).to.equal(1);
    clock.tick(1);
    expect(await Promise.all([numberOf(), numberOf()])).to.deep.equal([2, 2]);
    expect(reads).to.deep.equal([null, { number: 1 }]);
  });

  it('returns the previous value while reads fail, and retries after the lifetime only', async () => {
    await numberOf();
    clock.tick(1_000);
    const failing = sinon.spy(away);
    for (let call = 0; call < 3; call += 1)
      expect(await cache.get('a', failing, () => true)).to.deep.equal({ number: 1 });
    expect(failing.callCount).to.equal(1);
    clock.tick(1_000);
    expect(await numberOf()).to.equal(2);
  });

  it('returns the previous value to callers after a wait of two seconds', async () => {
    await numberOf();
    clock.tick(1_000);
    const waiting = cache.get('a', endless);
    await clock.tickAsync(1_999);
    expect(await Promise.race([waiting, Promise.resolve('waits')])).to.equal('waits');
    await clock.tickAsync(1);
    expect(await waiting).to.deep.equal({ number: 1 });
  });

  it('rejects without a previous value, and reads again at the next call', async () => {
    const errors = await Promise.all([0, 1].map(() => cache.get('a', away).catch(String)));
    expect(errors).to.deep.equal(['Error: away', 'Error: away']);
    expect(await numberOf()).to.equal(1);
  });

  it('does not cache null, and drops a value that no longer exists', async () => {
    const none = sinon.spy(async () => null);
    for (let call = 0; call < 2; call += 1) expect(await cache.get('a', none)).to.equal(null);
    expect(none.callCount).to.equal(2);
    await numberOf();
    clock.tick(1_000);
    expect(await cache.get('a', none)).to.equal(null);
    expect([cache.kept('a'), await cache.get('a', away).catch(String)]).to.deep.equal([null, 'Error: away']);
  });

  it('reads again by the caller’s condition instead of the age, and always after `expire`', async () => {
    await numberOf();
    expect((await cache.get('a', count, ({ number }) => number < 2))?.number).to.equal(2);
    clock.tick(5_000);
    expect((await cache.get('a', count, ({ number }) => number < 2))?.number).to.equal(2);
    await numberOf();
    cache.expire('a');
    expect(cache.kept('a')).to.deep.equal({ number: 3 });
    expect(await numberOf()).to.equal(4);
  });

  it('returns values to waiting callers, even if other entries evict them meanwhile', async () => {
    let end = (_value: Value | null): void => {};
    const slow = (): Promise<Value | null> => new Promise((resolve) => (end = resolve));
    for (const value of [{ number: 7 }, null]) {
      const waiting = cache.get('a', slow);
      for (const key of ['b', 'c', 'd']) await numberOf(key);
      end(value);
      expect(await waiting).to.equal(value);
      expect(cache.kept('a')).to.equal(null);
    }
  });

  it('is bounded in bytes', async () => {
    cache = new RefreshedCache({ lifetimeMs: 1_000, memory: { maxBytes: 250, bytesOf: () => 100 } });
    for (const key of ['a', 'b', 'c']) await numberOf(key);
    expect(['a', 'b', 'c'].map((key) => cache.kept(key) !== null)).to.deep.equal([false, true, true]);
  });
});
