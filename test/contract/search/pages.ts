import { expect } from 'chai';
import type { EngineHarness } from './engineHarness.js';

export function pagesContract(harness: EngineHarness): void {
  describe('order and pages', () => {
    it('sorts by numbers and texts in both directions, missing values last', async () => {
      await harness.write(
        { id: 'a', publishedAt: 100, name: 'Zebra' },
        { id: 'b', publishedAt: 20, name: 'apple' },
        { id: 'c', publishedAt: 3, name: 'Mango' },
        { id: 'd' },
      );
      expect(await harness.idsOf({ sort: ['publishedAt'] })).to.deep.equal(['c', 'b', 'a', 'd']);
      expect(await harness.idsOf({ sort: ['-publishedAt'] })).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(await harness.idsOf({ sort: ['name'] })).to.deep.equal(['b', 'c', 'a', 'd']);
      expect(await harness.idsOf({ sort: ['-name'] })).to.deep.equal(['a', 'c', 'b', 'd']);
    });

    it('sorts equal documents by id', async () => {
      await harness.write(...['c', 'a', 'd', 'b'].map((id) => ({ id, title: 'same', publishedAt: 1 })));
      expect(await harness.idsOf({})).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(await harness.idsOf('same')).to.deep.equal(['a', 'b', 'c', 'd']);
    });

    it('counts exactly and pages beyond a thousand hits', async () => {
      const ids = Array.from({ length: 1200 }, (_, number) => `d${String(number).padStart(4, '0')}`);
      await harness.write(
        ...ids.map((id, number) => ({ id, title: 'common', userCode: 'common', publishedAt: number })),
      );
      for (const text of ['common', undefined]) {
        const sort = ['publishedAt'];
        expect(await harness.find({ text, sort, pageSize: 3 })).to.deep.equal({
          ids: ids.slice(0, 3),
          totalCount: 1200,
        });
        expect(await harness.find({ text, sort, pageSize: 7, pageIndex: 150 })).to.deep.equal({
          ids: ids.slice(1050, 1057),
          totalCount: 1200,
        });
        expect(await harness.find({ text, sort, pageSize: 100, pageIndex: 12 })).to.deep.equal({
          ids: [],
          totalCount: 1200,
        });
        expect(await harness.find({ text, sort, pageSize: 100, pageIndex: Number.MAX_SAFE_INTEGER })).to.deep.equal({
          ids: [],
          totalCount: 1200,
        });
        expect(await harness.find({ text, sort, pagination: false, pageSize: 3, pageIndex: 5 })).to.deep.equal({
          ids: ids.slice(0, 1000),
          totalCount: 1200,
        });
      }
      expect(await harness.storedIds('d0998', 3)).to.deep.equal(['d0999', 'd1000', 'd1001']);
    });
  });
}
