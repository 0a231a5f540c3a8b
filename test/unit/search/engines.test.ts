import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { pino } from 'pino';
import { indexes } from '../../../shared/indexes.js';
import type { Database } from '../../../shared/platform/database/database.js';
import { routeByAvailability } from '../../../shared/platform/search/availabilityRouting.js';
import { digestOf } from '../../../shared/platform/search/digest.js';
import type { EngineRouting } from '../../../shared/platform/search/engineRouting.js';
import { defineIndex, definitionSignature, withBoundedTexts } from '../../../shared/platform/search/indexDefinition.js';
import { meilisearchFilterValue } from '../../../shared/platform/search/meilisearch/documents.js';
import { createMeilisearchEngine } from '../../../shared/platform/search/meilisearch/meilisearchEngine.js';
import { filterExpressions } from '../../../shared/platform/search/meilisearch/query.js';
import type {
  SearchDocument,
  SearchIndex,
  SearchValue,
  SearchEngine,
  SearchQuery,
} from '../../../shared/platform/search/search.js';
import { createTestClock } from '../../support/context.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('texts of bounded length', () => {
  it('are cut from long texts, without a change of other members', async () => {
    const document = { id: 'a', title: 'short', description: 'x'.repeat(20_000), tags: ['y'.repeat(6_000)], size: 1 };
    const index = withBoundedTexts(
      defineIndex({
        name: 'some',
        madeFrom: {},
        document: async () => [document],
        ids: async () => [],
        groups: { content: { fields: ['title', 'description', 'tags'], weight: 1 } },
        filters: ['tags', 'size'],
        sorts: [],
        publicDocuments: 'all',
      }),
    );
    expect(await index.document({}, ['a'])).to.deep.equal([{ ...document, description: 'x'.repeat(5_000) }]);
  });
});

/**
 * Signatures and digests that releases store since 1.0. A changed signature makes every deployment rebuild the index, a changed
 * digest makes the drift sweep write every document again: change a value here only with that intention.
 */
const stored: Readonly<Record<string, { readonly signature: string; readonly digest: string }>> = {
  box: { signature: '5706e2d8f5af7104', digest: 'AJ22xIR9OcHj7alg' },
  bundle: { signature: '8744cdbfe2a7821d', digest: 'YTYU_5lhkyeU7asz' },
  subscription: { signature: '5ecd6e1d6d8f12b7', digest: 'Kyl36KzTUF0P1lm9' },
  marketplace: { signature: 'ce634cb86596270b', digest: 'sy69jHIvBZh2_sM7' },
  vod: { signature: 'ec63242eaaa68afd', digest: '_xrNtE-bHSfBSKno' },
  user: { signature: '05f5d9eb2a15b923', digest: 'Bo6lQZmKDPSMu2OS' },
  liveChannel: { signature: '91491c4db4a553c0', digest: 'poPTKlMrM1U-L1Dx' },
  liveEvent: { signature: '945fad0c5a5b348b', digest: 'WNizTNF6aytbbrEe' },
  castChannel: { signature: '5c17caf98dea2bb5', digest: 'eseC-i3i9-_mbTN2' },
  castStream: { signature: '4416d9e8f1876a18', digest: 'aYLUyEgE0C1b7oql' },
  castProgram: { signature: '4f2d41fb69d14f88', digest: 'EZfBtfgKyUCIY5mq' },
};

/** A document with a value for every member that the definition names. */
function sampleDocument({ groups, filters, sorts }: SearchIndex): SearchDocument {
  const fields = Object.values(groups).flatMap((group) => group.fields);
  const members: [string, SearchValue][] = [
    ...fields.map((name): [string, SearchValue] => [name, `text of ${name}`]),
    ...filters.map((name, position): [string, SearchValue] => [name, position % 2 === 0 ? true : ['b', 'a']]),
    ...sorts.map((name): [string, SearchValue] => [name, 1_700_000_000_000]),
  ];
  return { id: 'a', ...Object.fromEntries(members) };
}

describe('stored search indexes', () => {
  it('keep their signatures, so that a release rebuilds none', () =>
    expect(Object.fromEntries(indexes.map((index) => [index.name, definitionSignature(index)]))).to.deep.equal(
      Object.fromEntries(Object.entries(stored).map(([name, { signature }]) => [name, signature])),
    ));

  it('keep the digests of their documents', () => {
    for (const index of indexes)
      expect(digestOf(index, sampleDocument(index)), index.name).to.equal(stored[index.name]?.digest);
  });
});

const index = defineIndex({
  name: 'some',
  madeFrom: {},
  document: async () => [],
  ids: async () => [],
  groups: { content: { fields: ['title'], weight: 1 } },
  filters: ['tags'],
  sorts: [],
  publicDocuments: 'all',
});

describe('Meilisearch filters', () => {
  it('keep any text inside its quotation marks', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const [expression] = filterExpressions({ tags: { equal: text } });
        expect(expression).to.match(/^filter_tags = "[^"\\']*"$/s);
      }),
    ));

  it('differ for different texts, except for case and outer spaces', () => {
    const same = (text: string) => text.trim().normalize('NFKD').toLowerCase();
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (one, other) => {
          expect(meilisearchFilterValue(one) === meilisearchFilterValue(other)).to.equal(same(one) === same(other));
        },
      ),
    );
    const long = 'x'.repeat(1000);
    expect(meilisearchFilterValue(long)).not.to.equal(meilisearchFilterValue(`${long}y`));
    expect(String(meilisearchFilterValue(long)).length).to.be.lessThan(100);
  });
});

describe('Meilisearch key', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('appears in no error and no log line', async () => {
    const key = 'the-very-secret-key';
    const seen: unknown[] = [];
    server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/version')
        response
          .writeHead(403, { 'content-type': 'application/json' })
          .end('{"message":"no","code":"invalid_api_key"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const failing = async (url: string, work: 'check' | 'search') => {
      const engine = createMeilisearchEngine({ url, apiKey: key, indexPrefix: '', callTimeoutMs: 1000 });
      const query = {
        text: 'x',
        groups: ['content'],
        filters: {},
        sort: [],
        page: { pageSize: 1, pageIndex: 0, pagination: true },
      };
      const error: unknown = await (work === 'check' ? engine.check() : engine.search(index, query)).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Error);
      log.error({ err: error, cause: (error as Error).cause }, 'failed');
    };
    await failing(`http://127.0.0.1:${port}`, 'check');
    await failing(`http://127.0.0.1:${port}`, 'search');
    await failing('http://127.0.0.1:1', 'check');
    expect(seen).to.deep.equal([`Bearer ${key}`, `Bearer ${key}`]);
    expect(lines).to.have.length(3);
    expect(lines.join('')).not.to.contain(key);
  });
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
