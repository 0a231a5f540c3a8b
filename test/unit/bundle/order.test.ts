import { expect } from 'chai';
import fc from 'fast-check';
import { listWithInserted, listWithMoved, listWithRemoved } from '../../../shared/bundle/bundleOrder.js';

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
