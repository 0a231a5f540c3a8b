import { expect } from 'chai';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import type { SearchDocument, SearchIndex, SearchQuery } from '../../../shared/platform/search/search.js';
import { serviceFixture } from '../../support/service.js';

const plain: SearchIndex<'all'> = {
  name: 'columnsTest',
  groups: { all: { fields: ['title'], weight: 1 } },
  filters: ['shown', 'end', 'owner'],
  sorts: ['start', 'end'],
  publicDocuments: 'none',
};
const withColumns: SearchIndex<'all'> = {
  ...plain,
  columns: { start: 'number', end: 'number', shown: 'flag', owner: 'text' },
  lists: [
    ['start', 'end', 'shown'],
    ['owner', 'start'],
  ],
};

/** Document 2 is hidden; 3 and 4 start at the same time. */
const documents: SearchDocument[] = [
  { id: '1', title: 'one', start: 10, end: 15, shown: true, owner: 'Zoë' },
  { id: '2', title: 'two', start: 9, end: 15, shown: false, owner: 'Ann' },
  { id: '3', title: 'three', start: 100, end: 110, shown: true, owner: 'Ann' },
  { id: '4', title: 'four', start: 100, end: 105, shown: true, owner: 'Zoë' },
];

describe('search members stored as PostgreSQL columns', () => {
  const { ctx } = serviceFixture();
  before(async () => {
    // Created by a release without columns.
    await createPostgresEngine(ctx.db).write(plain, documents.slice(0, 3), []);
  });
  after(() => ctx.db.rows('DROP TABLE "search_documents_columnsTest"'));

  const queries: Readonly<Record<string, Partial<SearchQuery<'all'>>>> = {
    all: {},
    shown: { filters: { shown: { equal: true } } },
    hidden: { filters: { shown: { equal: false } } },
    coming: { filters: { shown: { equal: true }, end: { atLeast: 106 } } },
    over: { filters: { end: { atMost: 105 } }, sort: ['-start', '-end'] },
    between: { filters: { end: { atLeast: 15, atMost: 15 } } },
    exactly: { filters: { end: { equal: 110 } } },
    oneOf: { filters: { end: { in: [15, 105] } } },
    noneOf: { filters: { end: { notIn: [15, 105] } } },
    words: { text: 'four' },
    owned: { filters: { owner: { equal: 'ZOË' } } },
    ofSome: { filters: { owner: { in: ['ann', 'bob'] } } },
  };
  const found = {
    ...{ all: '2 1 4 3', shown: '1 4 3', hidden: '2', coming: '3', over: '4 1 2', between: '2 1', exactly: '3' },
    ...{ oneOf: '2 1 4', noneOf: '3', words: '4', owned: '1 4', ofSome: '2 3' },
  };

  async function search(changed: readonly SearchDocument[]): Promise<Record<string, string>> {
    const engine = createPostgresEngine(ctx.db);
    const page = { pageSize: 20, pageIndex: 0, pagination: true };
    const all = { text: undefined, groups: ['all'] as const, filters: {}, sort: ['start', 'end'], page };
    const overlay = { ids: changed.map(({ id }) => id), documents: changed };
    const results: Record<string, string> = {};
    for (const [name, query] of Object.entries(queries)) {
      const { ids, totalCount } = await engine.search(withColumns, { ...all, ...query }, overlay);
      expect(totalCount, name).to.equal(ids.length);
      results[name] = ids.join(' ');
    }
    return results;
  }

  it('are added to a table with documents, and filled for changed documents', async () =>
    expect(await search(documents.slice(3))).to.deep.equal(found));

  it('have an index for each list, also in an existing table', async () => {
    const rows = await ctx.db.rows<{ indexdef: string }>(
      `SELECT indexdef FROM pg_indexes WHERE tablename = 'search_documents_columnsTest'`,
    );
    const lists = rows.flatMap(({ indexdef }) => /btree \((.+)\)/.exec(indexdef)?.[1] ?? []).toSorted();
    expect(lists).to.deep.equal(['id', 'owner, start, id', 'start, "end", shown, id']);
  });

  it('are filled in written and in rebuilt tables', async () => {
    const engine = createPostgresEngine(ctx.db);
    await engine.write(withColumns, documents, []);
    expect(await search([])).to.deep.equal(found);
    await engine.rebuild(
      withColumns,
      (async function* () {
        yield documents;
      })(),
    );
    expect(await search([])).to.deep.equal(found);
  });
});
