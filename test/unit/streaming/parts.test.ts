import { expect } from 'chai';
import { pino } from 'pino';
import { ValidationError } from '../../../shared/platform/errors.js';
import type { ListedSegment } from '../../../shared/streaming/listedSegment.js';
import { isReloadTargetReached, reloadTargetOf } from '../../../shared/streaming/lowLatency/blockingReload.js';
import { listParts, type ListedParts } from '../../../shared/streaming/lowLatency/listParts.js';
import { readPartsState, type PartSegment, type PartsState } from '../../../shared/streaming/lowLatency/partsState.js';
import { PartStore } from '../../../workers/live/lowLatency/partStore.js';
import type { PackagedPart } from '../../../workers/live/packaging/packageOptions.js';

const names = ['720p', '240p'];

function packagedPart(segment: number, number: number, changes: Partial<PackagedPart> = {}): PackagedPart {
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
      for (const rendition of names) store.add(packagedPart(segment, number, { rendition, ...changes }));
  }

  const numbers = (): number[] => store.state().segments.map(({ number }) => number);

  it('are visible when every rendition has its first part', () => {
    store.add(packagedPart(0, 0));
    expect(numbers()).to.deep.equal([]);
    store.add(packagedPart(0, 0, { rendition: '240p', data: [Buffer.from('low')] }));
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
    store.add(packagedPart(0, 1, { durationSeconds: 0.6 }));
    expect(numbers()).to.deep.equal([]);
    store = new PartStore({ runId: 'run', log: pino({ level: 'silent' }) });
    add(0, 1, { durationSeconds: 0.2 });
    expect(numbers()).to.deep.equal([0]);
    add(1, 1);
    expect(numbers()).to.deep.equal([0, 1]);
    store.add(packagedPart(0, 1));
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

function row(sequence: number, changes: Partial<ListedSegment> = {}): ListedSegment {
  const renditions = names.map((name) => ({ name, file: `${sequence}`, map: 'init-x.mp4', bytes: 1 }));
  return {
    ...{ sessionId: 'session', runId: 'run', sequence, discontinuity: 0, renditions },
    ...{ startsAtMs: sequence * 2000, durationMicroseconds: 2e6, ...changes },
  };
}

/** The parts of a segment with this number; `counts` are the parts in each rendition. */
function parted(sequence: number, counts: readonly number[], changes: Partial<PartSegment> = {}): PartSegment {
  return {
    ...{ number: sequence, startsAtMs: sequence * 2000, previousStartsAtMs: (sequence - 1) * 2000 },
    isDiscontinuous: false,
    renditions: names.map((name, index) => ({
      ...{ name, map: 'init-x.mp4', isComplete: counts[index] === 4 },
      parts: Array.from({ length: counts[index] ?? 0 }, (_, part) => ({
        durationMicroseconds: 500_000,
        isIndependent: part === 0,
      })),
    })),
    ...changes,
  };
}

function state(segments: readonly PartSegment[], changes: Partial<PartsState> = {}): PartsState {
  return { runId: 'run', version: 1, storedStartsAtMs: null, segments, ...changes };
}

const list = (rows: readonly ListedSegment[], parts: PartsState): ListedParts =>
  listParts(rows, parts, 'session') ?? expect.fail('no parts');

describe('parts of a playlist', () => {
  it('follow the last row by the start of the previous segment, and never have another number', () => {
    const segments = [parted(3, [4, 4]), parted(4, [4, 4]), parted(5, [2, 1])];
    expect(list([row(3), row(4)], state(segments)).next).to.include({ sequence: 5, isDiscontinuous: false });
    // Segment 4 is complete but has no row yet: segment 5 has to wait.
    expect(list([row(2), row(3)], state(segments)).next?.segment.number).to.equal(4);
    // Rows and state are not contiguous: one of them is outdated.
    expect(list([row(1)], state(segments)).next).to.equal(null);
    expect(list([row(5)], state(segments)).next).to.equal(null);
    // The live process has already released the parts of segment 2.
    expect([...list([row(2), row(3), row(4)], state(segments)).complete.keys()]).to.deep.equal([3, 4]);
  });

  it('of a new run begin after a discontinuity, unless the rows may be older than the state', () => {
    const first = parted(9, [1, 1], { number: 0, previousStartsAtMs: null });
    const rows = [row(4, { runId: 'before' })];
    expect(list(rows, state([first])).next).to.include({ sequence: 5, isDiscontinuous: true });
    expect(list(rows, state([first], { storedStartsAtMs: 14_000 })).next).to.equal(null);
    expect(listParts(rows, state([first]), 'next session')).to.equal(null);
  });

  it('announce the next part of each rendition, or the first one of the next segment', () => {
    const { hint, end } = list([row(4)], state([parted(5, [4, 2])]));
    expect(hint('720p')).to.deep.equal({ number: 6, part: 0, rendition: '720p' });
    expect(hint('240p')).to.deep.equal({ number: 5, part: 2, rendition: '240p' });
    expect(hint('300p')).to.deep.equal(hint('240p'));
    expect(end('720p')).to.deep.equal({ sequence: 5, part: 3 });
    const whole = list([row(4)], state([parted(4, [4, 4])]));
    expect(whole.hint('720p')).to.deep.equal({ number: 5, part: 0, rendition: '720p' });
    expect(whole.end('720p')).to.deep.equal({ sequence: 4, part: 3 });
    expect(list([row(4)], state([])).hint('720p')).to.equal(null);
  });

  it('decide whether a blocking reload waits', () => {
    const last = row(4);
    const parts = list([last], state([parted(4, [4, 4]), parted(5, [2, 1])]));
    const reached = (sequence: number, part: number | null, rendition = '720p'): boolean =>
      isReloadTargetReached(last, parts, rendition, { sequence, part });
    expect([reached(4, null), reached(5, null), reached(6, null)]).to.deep.equal([true, false, false]);
    expect([reached(5, 1), reached(5, 2), reached(5, 1, '240p')]).to.deep.equal([true, false, false]);
    expect([reached(4, 3), reached(4, 4), reached(3, 99), reached(6, 0)]).to.deep.equal([true, true, true, false]);
    expect([reached(5, 7), reached(6, 5)]).to.deep.equal([false, false]);
    for (const [sequence, part] of [
      [7, null],
      [7, 0],
      [5, 8],
      [6, 6],
      [4, 10],
    ] as const)
      expect(() => reached(sequence, part), `${sequence}.${part}`).to.throw(ValidationError);
    const before = list([last], state([parted(4, [4, 4])]));
    expect(
      isReloadTargetReached(last, before, '720p', { sequence: 4, part: 4 }),
      'the first part of the next segment',
    ).to.equal(false);
  });

  it('are requested with numbers', () => {
    const target = (query: string) => reloadTargetOf(new URLSearchParams(query));
    expect(target('')).to.equal(null);
    expect(target('_HLS_msn=0')).to.deep.equal({ sequence: 0, part: null });
    expect(target('_HLS_msn=12&_HLS_part=3')).to.deep.equal({ sequence: 12, part: 3 });
    for (const wrong of ['_HLS_part=1', '_HLS_msn=', '_HLS_msn=-1', '_HLS_msn=1.5', '_HLS_msn=1&_HLS_part=x'])
      expect(() => target(wrong), wrong).to.throw(ValidationError);
  });

  it('are rejected if their state belongs to another run or has another format', () => {
    const good = state([parted(5, [1, 1])]);
    expect(readPartsState('run', JSON.parse(JSON.stringify(good)))).to.deep.equal(good);
    const named = (map: string): PartsState => {
      const [segment] = good.segments;
      return state([{ ...segment!, renditions: [{ ...segment!.renditions[0]!, map }] }]);
    };
    for (const wrong of [
      null,
      {},
      { ...good, runId: 'other' },
      { ...good, version: '1' },
      named('../x.mp4'),
      named('a"b.mp4'),
    ])
      expect(() => readPartsState('run', wrong), JSON.stringify(wrong)).to.throw();
  });
});
