import { expect } from 'chai';
import { pino } from 'pino';
import { routeByAvailability } from '../../../shared/platform/search/availabilityRouting.js';
import type { EngineRouting } from '../../../shared/platform/search/engineRouting.js';
import { definitionSignature, defineIndex } from '../../../shared/platform/search/indexDefinition.js';
import type { Database } from '../../../shared/platform/database/database.js';
import type { SearchEngine, SearchQuery } from '../../../shared/platform/search/search.js';
import { createTestClock } from '../../support/context.js';
import { fixtureEach } from '../../support/fixtures.js';

const index = defineIndex({
  name: 'some',
  madeFrom: {},
  document: async () => [],
  ids: async () => [],
  groups: { content: { fields: ['title'], weight: 1 } },
  filters: [],
  sorts: [],
  publicDocuments: 'all',
});

const query = (text: string | undefined): SearchQuery => ({
  text,
  groups: ['content'],
  filters: {},
  sort: [],
  page: { pageSize: 20, pageIndex: 0, pagination: true },
});

/** An engine whose only hit is its name, or that fails. */
function namedEngine(name: SearchEngine['name'], state: { works: boolean; searches: number }): SearchEngine {
  return {
    name,
    prepare: async () => {},
    async search(_index, { page: { signal } }, changed) {
      state.searches += 1;
      signal?.throwIfAborted();
      if (changed) return { ids: changed.ids, totalCount: changed.ids.length };
      if (!state.works) throw new Error(`${name} is down`);
      return { ids: [name], totalCount: 1 };
    },
    write: async () => {},
    rebuild: async () => {},
    digests: async () => [],
    async check() {
      if (!state.works) throw new Error(`${name} is down`);
    },
  };
}

describe('engine routing', () => {
  const clock = createTestClock();
  const meili = fixtureEach(() => ({ works: true, searches: 0 }));
  let build: { indexName: string; signature: string | null; oldestMark: Date | null };
  let reads: number;
  let routing: EngineRouting;

  beforeEach(() => {
    build = { indexName: 'some', signature: definitionSignature(index), oldestMark: null };
    reads = 0;
    const rows = async () => {
      reads += 1;
      return [build];
    };
    routing = routeByAvailability({
      db: { rows } as unknown as Database,
      clock,
      log: pino({ level: 'silent' }),
      indexes: [index],
      postgres: { ...namedEngine('postgres', { works: true, searches: 0 }), ownMarks: async () => [] },
      meilisearch: namedEngine('meilisearch', meili),
      isLoggedOutage: () => false,
    });
  });

  afterEach(() => routing.close());

  const engineOf = async (text?: string) => (await routing.query(index, query(text ?? 'word'))).ids[0];

  it('uses Meilisearch for searches with words and PostgreSQL for lists', async () => {
    expect(await engineOf('word')).to.equal('meilisearch');
    for (const text of ['', ' * ', '!']) expect(await engineOf(text)).to.equal('postgres');
    expect((await routing.query(index, query(undefined))).ids).to.deep.equal(['postgres']);
    expect(meili.searches).to.equal(1);
  });

  it('uses PostgreSQL if the index was never built or was built from another definition', async () => {
    build.signature = null;
    expect(await engineOf()).to.equal('postgres');
    build = { ...build, signature: 'older' };
    clock.advance(5_000);
    expect(await engineOf()).to.equal('postgres');
    build = { ...build, signature: definitionSignature(index) };
    clock.advance(5_000);
    expect(await engineOf()).to.equal('meilisearch');
  });

  it('uses PostgreSQL while a dirty mark is too old', async () => {
    build.oldestMark = new Date(clock.now().getTime() - 29_000);
    expect(await engineOf()).to.equal('meilisearch');
    clock.advance(5_000);
    expect(await engineOf()).to.equal('postgres');
    expect((await routing.health()).active).to.equal('postgres');
  });

  it('reads the index builds at most every few seconds', async () => {
    for (let times = 0; times < 10; times += 1) await engineOf();
    expect(reads).to.equal(1);
    clock.advance(5_000);
    await engineOf();
    expect(reads).to.equal(2);
  });

  it('uses Meilisearch for an owner if it has the owner’s changes, otherwise PostgreSQL with the changed documents', async () => {
    const idsOf = async (text: string, marks: Partial<Record<SearchEngine['name'], string[]>>) => {
      const { ids } = await routing.ownQuery(index, query(text), {
        marked: async (engine) => marks[engine] ?? [],
        read: async (marked) => ({ ids: marked, documents: [] }),
      });
      return ids.join();
    };
    expect(await idsOf('word', {})).to.equal('meilisearch');
    expect(await idsOf('word', { postgres: ['a'] })).to.equal('meilisearch');
    expect(await idsOf('word', { meilisearch: ['a'] })).to.equal('postgres');
    expect(await idsOf('word', { meilisearch: ['a'], postgres: ['a'] })).to.equal('a');
    expect(await idsOf('', { postgres: ['a'] })).to.equal('a');
  });

  it('does not count disconnected callers as Meilisearch failures and does not retry for them', async () => {
    const page = { ...query('').page, signal: AbortSignal.abort() };
    for (let times = 0; times < 20; times += 1)
      expect(await routing.query(index, { ...query('word'), page }).catch(String)).to.contain('AbortError');
    expect(await engineOf()).to.equal('meilisearch');
  });

  it('uses PostgreSQL if Meilisearch fails, and then stops searches in Meilisearch', async () => {
    meili.works = false;
    for (let times = 0; times < 20; times += 1) expect(await engineOf()).to.equal('postgres');
    expect(meili.searches).to.be.within(1, 5);
    expect(await routing.health()).to.deep.equal({ engine: 'meilisearch', ok: false, active: 'postgres' });
    meili.works = true;
    expect(await routing.health()).to.deep.equal({ engine: 'meilisearch', ok: true, active: 'postgres' });
  });
});
