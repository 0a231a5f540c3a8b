import { expect } from 'chai';
import fc from 'fast-check';
import { listWithInserted, listWithMoved, listWithRemoved } from '../../../shared/bundle/bundleOrder.js';
import { airsSameUntil, timeErrors } from '../../../shared/cast/programming/dayRules.js';
import { breakSource, newDraft, type Draft, type Source } from '../../../shared/cast/programming/draft.js';
import {
  gapsIn,
  programsWithInserted,
  programsWithMoved,
  programsWithRemoved,
} from '../../../shared/cast/programming/programList.js';

/** Distinct numbers, and an index before one of them or at the end. */
const listAndPlace = fc
  .uniqueArray(fc.nat(1000), { maxLength: 20 })
  .chain((list) => fc.tuple(fc.constant(list), fc.nat(list.length)));

describe('bundleOrder', () => {
  it('inserts new items before the item at the index', () => {
    expect(listWithInserted(['a', 'b', 'c'], 1, ['x', 'y'])).to.deep.equal(['a', 'x', 'y', 'b', 'c']);
    expect(listWithInserted(['a', 'b', 'c'], 3, ['x'])).to.deep.equal(['a', 'b', 'c', 'x']);
    expect(listWithInserted([], 0, ['x'])).to.deep.equal(['x']);
  });

  it('moves present items together with the new ones, in the given order', () => {
    expect(listWithInserted(['a', 'b', 'c', 'd'], 1, ['d', 'x', 'a'])).to.deep.equal(['d', 'x', 'a', 'b', 'c']);
    expect(listWithInserted(['a', 'b'], 1, ['b'])).to.deep.equal(['a', 'b']);
  });

  it('counts both indexes of a move before the move', () => {
    const list = ['a', 'b', 'c', 'd'];
    expect(listWithMoved(list, 0, 2)).to.deep.equal(['b', 'a', 'c', 'd']);
    expect(listWithMoved(list, 3, 0)).to.deep.equal(['d', 'a', 'b', 'c']);
    expect(listWithMoved(list, 0, 4)).to.deep.equal(['b', 'c', 'd', 'a']);
    for (const stays of [1, 2]) expect(listWithMoved(list, 1, stays)).to.deep.equal(list);
  });

  it('removes consecutive items', () => {
    expect(listWithRemoved(['a', 'b', 'c', 'd'], 1, 2)).to.deep.equal(['a', 'd']);
  });

  it('inserts new items as splice does', () => {
    fc.assert(
      fc.property(listAndPlace, fc.uniqueArray(fc.integer({ min: 2000, max: 3000 })), ([list, index], items) => {
        const model = [...list];
        model.splice(index, 0, ...items);
        expect(listWithInserted(list, index, items)).to.deep.equal(model);
      }),
    );
  });

  it('keeps each item exactly once and the order of the unmoved items', () => {
    fc.assert(
      fc.property(listAndPlace, fc.uniqueArray(fc.nat(1000), { maxLength: 20 }), ([list, index], items) => {
        const result = listWithInserted(list, index, items);
        const given = new Set(items);
        expect(result.filter((item) => given.has(item))).to.deep.equal(items);
        expect(result.filter((item) => !given.has(item))).to.deep.equal(list.filter((item) => !given.has(item)));
        const next = list.slice(index).find((item) => !given.has(item));
        if (items.length > 0 && next !== undefined) {
          expect(result.indexOf(items.at(-1) ?? -1)).to.equal(result.indexOf(next) - 1);
        }
      }),
    );
  });
});

const minute = 60_000;
const day = Date.UTC(2030, 0, 1);
const at = (minutes: number): Date => new Date(day + minutes * minute);

interface Named {
  readonly name: string;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const program = (name: string, from: number, until: number): Named => ({ name, startsAt: at(from), endsAt: at(until) });

const worded = (programs: readonly Named[]): string =>
  programs
    .map(({ name, startsAt, endsAt }) => `${name} ${(+startsAt - day) / minute}-${(+endsAt - day) / minute}`)
    .join(', ');

describe('The list of a day’s programs', () => {
  const abc = [program('a', 0, 10), program('b', 10, 30), program('c', 30, 35)];

  it('delays the later programs on an insertion', () => {
    const added = [program('x', 500, 502), program('y', 0, 3)];
    expect(worded(programsWithInserted(abc, 0, added, at(99)))).to.equal('x 0-2, y 2-5, a 5-15, b 15-35, c 35-40');
    expect(worded(programsWithInserted(abc, 2, added, at(99)))).to.equal('a 0-10, b 10-30, x 30-32, y 32-35, c 35-40');
    expect(worded(programsWithInserted(abc, 3, added, at(40)))).to.equal('a 0-10, b 10-30, c 30-35, x 40-42, y 42-45');
    expect(worded(programsWithInserted([], 0, added, at(7)))).to.equal('x 7-9, y 9-12');
  });

  it('advances the later programs on a removal', () => {
    expect(worded(programsWithRemoved(abc, 0, 1))).to.equal('b 0-20, c 20-25');
    expect(worded(programsWithRemoved(abc, 1, 1))).to.equal('a 0-10, c 10-15');
    expect(worded(programsWithRemoved(abc, 1, 2))).to.equal('a 0-10');
    expect(worded(programsWithRemoved(abc, 0, 3))).to.equal('');
  });

  it('shifts only the programs between the two positions of a move', () => {
    expect(worded(programsWithMoved(abc, 0, 3))).to.equal('b 0-20, c 20-25, a 25-35');
    expect(worded(programsWithMoved(abc, 2, 0))).to.equal('c 0-5, a 5-15, b 15-35');
    expect(worded(programsWithMoved(abc, 0, 2))).to.equal('b 0-20, a 20-30, c 30-35');
    for (const to of [1, 2]) expect(worded(programsWithMoved(abc, 1, to))).to.equal(worded(abc));
  });

  it('keeps the length of gaps and does not change on a move to the same position', () => {
    const gapped = [program('a', 0, 10), program('b', 12, 30), program('c', 35, 40)];
    expect(worded(programsWithRemoved(gapped, 1, 1))).to.equal('a 0-10, c 17-22');
    expect(worded(programsWithInserted(gapped, 1, [program('x', 0, 5)], at(0)))).to.equal(
      'a 0-10, x 12-17, b 17-35, c 40-45',
    );
    for (const to of [1, 2]) expect(worded(programsWithMoved(gapped, 1, to))).to.equal(worded(gapped));
  });

  it('represents a gap longer than the longest program as several breaks', () => {
    const gaps = gapsIn([program('a', 0, 1), program('b', 1500, 1501)], 24 * 60 * minute);
    expect(gaps.map(({ startsAt, endsAt }) => [+startsAt - day, +endsAt - day].map((ms) => ms / minute))).to.deep.equal(
      [
        [1, 1441],
        [1441, 1500],
      ],
    );
    expect(gapsIn(abc, minute)).to.deep.equal([]);
    expect(gapsIn([], minute)).to.deep.equal([]);
  });

  it('keeps every program with its duration, and a continuous list continuous, on any change', () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 8 });
    const listOf = (values: readonly number[]): Named[] => {
      let time = 0;
      return values.map((length, index) => program(String(index), time, (time += length)));
    };
    const lengthsIn = (programs: readonly Named[]) =>
      programs.map(({ name, startsAt, endsAt }) => `${name} ${+endsAt - +startsAt}`);
    fc.assert(
      fc.property(lengths, lengths, fc.nat(), fc.nat(), (values, more, one, other) => {
        const list = listOf(values);
        const [from, to] = [one % list.length, other % (list.length + 1)];
        const after = programsWithMoved(list, from, to);
        expect(lengthsIn(after).toSorted()).to.deep.equal(lengthsIn(list).toSorted());
        const added = listOf(more).map((item) => ({ ...item, name: `new ${item.name}` }));
        const longer = programsWithInserted(list, to, added, list.at(-1)?.endsAt ?? at(0));
        expect(lengthsIn(longer)).to.deep.equal(lengthsIn([...list.slice(0, to), ...added, ...list.slice(to)]));
        for (const result of [after, longer, programsWithRemoved(list, from, 1)]) {
          expect(gapsIn(result, 24 * 60 * minute)).to.deep.equal([]);
          expect(result[0]?.startsAt ?? at(0)).to.deep.equal(at(0));
        }
        // The inverse of an insertion is a removal.
        expect(worded(programsWithRemoved(longer, to, added.length))).to.equal(worded(list));
      }),
      { numRuns: 200 },
    );
  });
});

function draft(field: string, from: number, until: number, source: Partial<Source> = {}): Draft {
  const described = { title: field, description: null, thumbnailId: null, tags: [] };
  return newDraft({ ...breakSource, ...source, ...described, field, startsAt: at(from), endsAt: at(until) });
}

describe('The check of program times', () => {
  const around = { from: at(0), until: at(1440), previousEnd: at(5), nextStart: at(1500) };
  const errorsOf = (...drafts: Draft[]) =>
    [...timeErrors(drafts, around).values()].map(({ field, code }) => `${field} ${code}`);

  it('accepts valid programs, including one that ends on the next day', () => {
    expect(errorsOf(draft('a', 5, 10), draft('b', 20, 1439), draft('c', 1439, 1500))).to.deep.equal([]);
  });

  it('reports one error for each invalid program and none for the valid ones', () => {
    const errors = errorsOf(
      draft('a', -1, 10),
      draft('b', 4, 10),
      draft('c', 10, 20),
      draft('d', 15, 30),
      draft('e', 25, 30),
      draft('f', 40, 40),
      draft('g', 50, 45),
      draft('h', 60, 1501),
      draft('i', 1440, 1450),
    );
    expect(errors).to.deep.equal([
      'a.startDate otherDay',
      'b.startDate overlapsDayBefore',
      'd.startDate overlap',
      'f.endDate endBeforeStart',
      'g.endDate endBeforeStart',
      'h.endDate tooLong',
      'i.startDate otherDay',
    ]);
    expect(errorsOf(draft('a', 100, 1501))).to.deep.equal(['a.endDate overlapsDayAfter']);
  });

  it('accepts a program of 24 hours and rejects one that is a second longer', () => {
    const free = { ...around, previousEnd: null, nextStart: null };
    const errors = (end: number) => [...timeErrors([draft('a', 10, end)], free).values()].map(({ code }) => code);
    expect(errors(10 + 1440)).to.deep.equal([]);
    expect(errors(10 + 1440 + 1 / 60)).to.deep.equal(['tooLong']);
  });
});

describe('An edit of decided airtime', () => {
  const film = { type: 'PRERECORDED' as const, boxItemId: 'one' };
  const first = draft('a', 0, 10, film);
  const second = draft('b', 10, 30, film);
  const before = [first, second];
  const same = (...after: Draft[]): boolean => airsSameUntil(at(20), before, after);

  it('may change titles, and ends after the decided time', () => {
    expect(same(first, { ...second, title: 'New' })).to.equal(true);
    expect(same(first, { ...second, endsAt: at(20) })).to.equal(true);
    expect(same(first, { ...second, endsAt: at(40) })).to.equal(true);
    expect(same(second, first, draft('c', 30, 40, film))).to.equal(true);
  });

  it('may not change the start, end, media or type of a program', () => {
    expect(same(first)).to.equal(false);
    expect(same({ ...first, endsAt: at(9) }, second)).to.equal(false);
    expect(same(first, { ...second, endsAt: at(19) })).to.equal(false);
    expect(same(first, { ...second, boxItemId: 'other' })).to.equal(false);
    expect(same(first, { ...second, offsetSeconds: 1 })).to.equal(false);
    expect(same(first, { ...second, id: first.id })).to.equal(false);
    expect(same(first, second, draft('c', 19, 20, film))).to.equal(false);
  });

  it('may add and remove breaks, which air like a gap', () => {
    const pause = draft('pause', 0, 20);
    expect(airsSameUntil(at(20), [pause], [])).to.equal(true);
    expect(airsSameUntil(at(20), [], [draft('pause', 5, 25)])).to.equal(true);
    expect(airsSameUntil(at(20), [pause], [{ ...pause, ...film }])).to.equal(false);
  });
});
