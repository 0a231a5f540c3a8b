import { expect } from 'chai';
import { boxIndex } from '../../../shared/box/box.index.js';
import { seedBoxItem } from '../../support/rows.js';
import { createUser, createLoggedInUser } from '../../support/users.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import type { SearchDocument, SearchIndex, SearchQuery } from '../../../shared/platform/search/search.js';
import { publicToken, type TestResponse, bodyOf } from '../../support/api.js';
import { countOf } from '../../support/crowd.js';
import { eventually } from '../../support/eventually.js';

describe('a page of hits', () => {
  const { ctx } = serviceFixture();
  let ownerId: string;
  const boxIds: string[] = [];

  before(async () => {
    ownerId = await createUser(ctx);
    for (let number = 0; number < 7; number += 1) {
      ctx.clock.advance(1_000);
      boxIds.unshift((await seedBoxItem(ctx, ownerId, { title: `Video ${number}` })).boxId);
    }
    await ctx.search.maintenance.drain('postgres');
  });

  const pageOf = (
    page: { pageSize: number; pageIndex: number; pagination: boolean },
    load: (ids: readonly string[]) => string[],
  ) =>
    ctx.search.page(
      boxIndex,
      { text: 'video', groups: ['content'], filters: { ownerId: { equal: ownerId } }, sort: ['-createdAt'], page },
      async (ids) => new Map(load(ids).map((id) => [id, `item ${id}`])),
    );

  const rendered = (some: readonly string[]) => some.map((id) => `item ${id}`);

  it('contains the loaded rows in the order of the hits', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 1, pagination: true }, (ids) => ids.toReversed());
    expect(page).to.deep.equal({
      items: rendered(boxIds.slice(3, 6)),
      pageSize: 3,
      pageIndex: 1,
      totalCount: 7,
      pageCount: 3,
    });
  });

  it('omits rows that were not loaded, also from the total', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 0, pagination: true }, (ids) => ids.slice(1));
    expect(page).to.deep.equal({
      items: rendered(boxIds.slice(1, 3)),
      pageSize: 3,
      pageIndex: 0,
      totalCount: 6,
      pageCount: 2,
    });
  });

  it('loads no rows without hits', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 9, pagination: true }, () => expect.fail('rows were loaded'));
    expect(page).to.deep.equal({ items: [], pageSize: 3, pageIndex: 9, totalCount: 7, pageCount: 3 });
  });

  it('contains all hits without pagination', async () => {
    const page = await pageOf({ pageSize: 3, pageIndex: 1, pagination: false }, (ids) => [...ids]);
    expect(page).to.deep.equal({ items: rendered(boxIds), pageSize: 7, pageIndex: 0, totalCount: 7, pageCount: 1 });
  });
});

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

describe('many concurrent searches of one caller', () => {
  const { api } = serviceFixture();
  const user = useFixture(() => createLoggedInUser(api.ctx));
  let anybody: string;

  before(async () => {
    anybody = await publicToken(api);
  });

  const search = (token: string, path: string) => api.call('POST', path, { token, body: { pageSize: 1 } });
  const programs = '/api/public/search/cast/programs';

  it('return 429 with Retry-After above the caller’s share, while other callers are served', async () => {
    const { db } = api.ctx;
    bodyOf(200, await search(anybody, programs));
    const refused: TestResponse[] = [];
    let crowd: Promise<TestResponse>[] = [];
    await db.transaction(async (tx) => {
      // The lock makes the searches of this caller slow.
      await db.rows('LOCK TABLE "search_documents_castProgram" IN ACCESS EXCLUSIVE MODE', {}, tx);
      crowd = Array.from({ length: 200 }, async () => {
        const response = await search(anybody, programs);
        if (response.status === 429) refused.push(response);
        return response;
      });
      await eventually(() => expect(refused.length).to.be.at.least(90));
      for (const path of ['/api/public/search/vod/contents', '/api/search/box/contents'])
        bodyOf(200, await search(user.token, path));
    });
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).to.be.above(0);
    // A search that times out returns 503.
    const statuses = (await Promise.all(crowd)).map(({ status }) => status);
    expect(countOf(statuses, 200) + countOf(statuses, 503)).to.be.at.least(100);
    expect(statuses.filter((status) => ![200, 429, 503].includes(status))).to.deep.equal([]);
    bodyOf(200, await search(anybody, programs));
  });
});
