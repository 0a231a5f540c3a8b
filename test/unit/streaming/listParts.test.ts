import { expect } from 'chai';
import { isReloadTargetReached, reloadTargetOf } from '../../../shared/streaming/lowLatency/blockingReload.js';
import { listParts, type ListedParts } from '../../../shared/streaming/lowLatency/listParts.js';
import type { ListedSegment } from '../../../shared/streaming/listedSegment.js';
import { readPartsState, type PartSegment, type PartsState } from '../../../shared/streaming/lowLatency/partsState.js';
import { ValidationError } from '../../../shared/platform/errors.js';

const names = ['720p', '240p'];

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
