import { expect } from 'chai';
import type { EngineHarness, Query } from './engineHarness.js';

export function filtersContract(harness: EngineHarness): void {
  describe('filters', () => {
    it('filters by one value, several, none of several, all of several, and bounds', async () => {
      await harness.write(
        { id: 'a', name: 'a', ownerId: 'o1', visible: true, licenseType: 'FREE', tags: ['red', 'blue'], size: 5 },
        { id: 'b', name: 'b', ownerId: 'o1', visible: false, licenseType: 'CREATIVE_COMMONS', tags: ['red'], size: 50 },
        { id: 'c', name: 'c', ownerId: 'o2', visible: true, tags: [], size: 500 },
        { id: 'd', name: 'd', ownerId: 'o3', visible: true, licenseType: null },
      );
      expect(await harness.filtered({ ownerId: { equal: 'o1' } })).to.deep.equal(['a', 'b']);
      expect(await harness.filtered({ visible: { equal: true } })).to.deep.equal(['a', 'c', 'd']);
      expect(await harness.filtered({ visible: { equal: false }, ownerId: { equal: 'o1' } })).to.deep.equal(['b']);
      expect(await harness.filtered({ ownerId: { in: ['o2', 'o3'] } })).to.deep.equal(['c', 'd']);
      expect(await harness.filtered({ ownerId: { in: [] } })).to.deep.equal([]);
      expect(await harness.filtered({ ownerId: { notIn: ['o2', 'o3'] } })).to.deep.equal(['a', 'b']);
      expect(await harness.filtered({ licenseType: { notIn: ['FREE'] } })).to.deep.equal(['b', 'c', 'd']);
      expect(await harness.filtered({ ownerId: { notIn: [] } })).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(await harness.filtered({ tags: { all: ['red'] } })).to.deep.equal(['a', 'b']);
      expect(await harness.filtered({ tags: { all: ['blue', 'red'] } })).to.deep.equal(['a']);
      expect(await harness.filtered({ tags: { equal: 'blue' } })).to.deep.equal(['a']);
      expect(await harness.filtered({ tags: { all: [] } })).to.deep.equal(['a', 'b', 'c', 'd']);
      expect(await harness.filtered({ size: { atLeast: 50 } })).to.deep.equal(['b', 'c']);
      expect(await harness.filtered({ size: { atLeast: 5, atMost: 50 } })).to.deep.equal(['a', 'b']);
      expect(await harness.filtered({ size: { equal: 500 } })).to.deep.equal(['c']);
    });

    it('compares complete values, ignoring case', async () => {
      await harness.write(
        { id: 'a', name: 'a', ownerId: 'Mario.Rossi', tags: ['New York', ' Größe '] },
        { id: 'b', name: 'b', ownerId: 'mario', tags: ['York'] },
      );
      expect(await harness.filtered({ ownerId: { equal: 'mario.ROSSI' } })).to.deep.equal(['a']);
      expect(await harness.filtered({ ownerId: { equal: 'mario' } })).to.deep.equal(['b']);
      expect(await harness.filtered({ tags: { all: ['new york'] } })).to.deep.equal(['a']);
      expect(await harness.filtered({ tags: { all: ['york'] } })).to.deep.equal(['b']);
      expect(await harness.filtered({ tags: { all: ['GRÖSSE'] } })).to.deep.equal([]);
      expect(await harness.filtered({ tags: { all: ['GRÖßE'] } })).to.deep.equal(['a']);
    });

    it('never reads a value as an expression', async () => {
      const hostile = [
        '"',
        "'",
        '\\',
        '\\"',
        '%',
        '%22',
        'a\\',
        "x' OR 'a'='a",
        'x" OR visible = true OR tags = "',
        '] OR visible = true',
        '$1',
        '{"a":1}',
        '\n',
        'a\u0001b',
        'NULL',
        '*',
        '🎬',
        'x'.repeat(900),
        `${'x'.repeat(900)}y`,
        'é'.repeat(300),
      ];
      await harness.write(
        ...hostile.map((tag, number) => ({
          id: `h${number}`,
          name: `h${number}`,
          visible: true,
          tags: [tag, 'hostile'],
        })),
      );
      for (const [number, tag] of hostile.entries()) {
        if (tag.trim() === '') continue;
        expect(await harness.filtered({ tags: { all: [tag] } }), JSON.stringify(tag)).to.deep.equal([`h${number}`]);
        expect(await harness.filtered({ tags: { in: [tag, 'absent'] } }), JSON.stringify(tag)).to.deep.equal([
          `h${number}`,
        ]);
        expect(
          await harness.filtered({ tags: { all: [tag, 'hostile'] }, visible: { equal: false } }),
          JSON.stringify(tag),
        ).to.deep.equal([]);
      }
    });

    it('combines filters and words', async () => {
      await harness.write(
        { id: 'a', title: 'sea', ownerId: 'o1', publishedAt: 1 },
        { id: 'b', title: 'sea', ownerId: 'o2', publishedAt: 2 },
        { id: 'c', title: 'land', ownerId: 'o1', publishedAt: 3 },
      );
      await harness.expectHits({ text: 'sea', filters: { ownerId: { equal: 'o1' } } }, ['a']);
      await harness.expectHits({ text: 'sea', filters: { ownerId: undefined } }, ['b', 'a']);
    });

    it('throws for names that the definition does not have', async () => {
      const expectError = async (query: Query) => {
        const error = await harness.find(query).then(
          () => null,
          (reason: unknown) => reason,
        );
        expect(error, JSON.stringify(query)).to.be.instanceOf(Error);
      };
      await expectError({ filters: { secret: { equal: 'x' } } });
      await expectError({ sort: ['secret'] });
      await expectError({ groups: ['secret'], text: 'x' });
    });
  });
}

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
