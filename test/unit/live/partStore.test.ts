import { expect } from 'chai';
import { pino } from 'pino';
import { PartStore } from '../../../workers/live/lowLatency/partStore.js';
import type { PackagedPart } from '../../../workers/live/packaging/packageOptions.js';

const names = ['720p', '240p'];

function part(segment: number, number: number, changes: Partial<PackagedPart> = {}): PackagedPart {
  const startSeconds = segment * 2 + number * 0.5;
  return {
    ...{ encoding: 0, segment, part: number, rendition: '720p', renditions: names, startSeconds },
    ...{ startsAt: new Date(startSeconds * 1000), durationSeconds: 0.5, isIndependent: number === 0 },
    ...{ isLast: number === 3, initialisation: Buffer.from('init'), data: [Buffer.from(`${segment}.${number}`)] },
    ...changes,
  };
}

describe('parts in memory', () => {
  let store: PartStore;

  beforeEach(() => {
    store = new PartStore({ runId: 'run', log: pino({ level: 'silent' }) });
  });

  function add(segment: number, count: number, changes: Partial<PackagedPart> = {}): void {
    for (let number = 0; number < count; number += 1)
      for (const rendition of names) store.add(part(segment, number, { rendition, ...changes }));
  }

  const numbers = (): number[] => store.state().segments.map(({ number }) => number);

  it('are visible when every rendition has its first part', () => {
    store.add(part(0, 0));
    expect(numbers()).to.deep.equal([]);
    store.add(part(0, 0, { rendition: '240p', data: [Buffer.from('low')] }));
    expect(numbers()).to.deep.equal([0]);
    expect(store.part(0, 0, '240p')?.join('')).to.equal('low');
    expect(store.part(0, 1, '240p')).to.equal(null);
    expect(store.part(0, 0, '480p')).to.equal(null);
  });

  it('stay while they are listed and for three target durations afterwards', () => {
    for (let segment = 0; segment < 10; segment += 1) {
      add(segment, 4);
      store.complete({ encoding: 0, segment });
      store.stored({ encoding: 0, segment });
    }
    add(10, 1);
    expect(numbers()).to.deep.equal([3, 4, 5, 6, 7, 8, 9, 10]);
    const [first] = store.state().segments;
    expect(first).to.include({ startsAtMs: 6000, previousStartsAtMs: 4000, isDiscontinuous: false });
    expect(store.state().storedStartsAtMs).to.equal(18_000);
  });

  it('retain only the initialisation segments of the retained segments', () => {
    const maps = new Set<string>();
    for (let segment = 0; segment < 100; segment += 1) {
      add(segment, 4, { initialisation: Buffer.from(`init ${segment}`) });
      for (const { renditions } of store.state().segments) for (const { map } of renditions) maps.add(map);
    }
    expect(maps.size).to.equal(100);
    const kept = [...maps].filter((map) => store.initialisation(map) !== null);
    expect(kept).to.deep.equal([...maps].slice(-8));
  });

  it('are limited in bytes', () => {
    const data = [Buffer.alloc(20 * 1024 ** 2)];
    add(0, 1, { data });
    add(1, 1, { data });
    expect(numbers()).to.deep.equal([1]);
  });

  it('of an abandoned segment are replaced by the parts of the next encoding', () => {
    add(0, 4);
    store.complete({ encoding: 0, segment: 0 });
    add(1, 2);
    add(0, 1, { encoding: 1, startsAt: new Date(2000) });
    expect(numbers()).to.deep.equal([0, 2]);
    expect(store.state().segments.at(-1)).to.include({
      previousStartsAtMs: 0,
      isDiscontinuous: true,
      startsAtMs: 2000,
    });
    expect(store.part(1, 0, '720p')).to.equal(null);
  });

  it('of a segment are all dropped if one is too long, or too short and not the last', () => {
    add(0, 1);
    store.add(part(0, 1, { durationSeconds: 0.6 }));
    expect(numbers()).to.deep.equal([]);
    store = new PartStore({ runId: 'run', log: pino({ level: 'silent' }) });
    add(0, 1, { durationSeconds: 0.2 });
    expect(numbers()).to.deep.equal([0]);
    add(1, 1);
    expect(numbers()).to.deep.equal([0, 1]);
    store.add(part(0, 1));
    expect(numbers()).to.deep.equal([]);
    add(2, 4);
    expect(numbers()).to.deep.equal([]);
  });

  it('are released at the end of the run, which wakes all waiters', async () => {
    add(0, 1);
    const { version } = store.state();
    const change = store.changes.next(10_000);
    store.end();
    await change;
    expect(store).to.include({ isEnded: true });
    expect(store.state().version).to.be.above(version);
    expect(numbers()).to.deep.equal([]);
    add(1, 1);
    expect(numbers()).to.deep.equal([]);
  });
});
