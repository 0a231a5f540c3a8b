import { expect } from 'chai';
import { pino } from 'pino';
import { answerFromMeilisearch, type Answering } from '../../../shared/platform/search/answer.js';
import { signatureOf } from '../../../shared/platform/search/indexDefinition.js';
import type { Database } from '../../../shared/platform/database/database.js';
import { defineIndex } from '../../../shared/platform/search/indexDefinition.js';
import type { SearchEngine, SearchQuery } from '../../../shared/platform/search/search.js';
import { createTestClock } from '../../support/context.js';

const index = defineIndex({
  name: 'some',
  madeFrom: {},
  document: async () => [],
  ids: async () => [],
  groups: { content: { fields: ['title'], weight: 1 } },
  filters: [],
  sorts: [],
});

const query = (text: string | undefined): SearchQuery => ({
  text,
  groups: ['content'],
  filters: {},
  sort: [],
  page: { pageSize: 20, pageIndex: 0, pagination: true },
});

/** An engine that answers with its own name, or not at all. */
function namedEngine(name: SearchEngine['name'], state: { works: boolean; asked: number }): SearchEngine {
  return {
    name,
    prepare: async () => {},
    async search() {
      state.asked += 1;
      if (!state.works) throw new Error(`${name} is away`);
      return { ids: [name], totalCount: 1 };
    },
    write: async () => {},
    rebuild: async () => {},
    held: async () => [],
    async check() {
      if (!state.works) throw new Error(`${name} is away`);
    },
  };
}

describe('which engine answers', () => {
  const clock = createTestClock();
  let meili: { works: boolean; asked: number };
  let build: { indexName: string; signature: string | null; oldestMark: Date | null };
  let reads: number;
  let answering: Answering;

  beforeEach(() => {
    meili = { works: true, asked: 0 };
    build = { indexName: 'some', signature: signatureOf(index), oldestMark: null };
    reads = 0;
    const rows = async () => {
      reads += 1;
      return [build];
    };
    answering = answerFromMeilisearch({
      db: { rows } as unknown as Database,
      clock: () => clock,
      log: pino({ level: 'silent' }),
      indexes: [index],
      postgres: namedEngine('postgres', { works: true, asked: 0 }),
      meilisearch: namedEngine('meilisearch', meili),
    });
  });

  afterEach(() => answering.close());

  const answered = async (text?: string) => (await answering.query(index, query(text ?? 'word'))).ids[0];

  it('Meilisearch for words, PostgreSQL for lists', async () => {
    expect(await answered('word')).to.equal('meilisearch');
    for (const text of ['', ' * ', '!']) expect(await answered(text)).to.equal('postgres');
    expect((await answering.query(index, query(undefined))).ids).to.deep.equal(['postgres']);
    expect(meili.asked).to.equal(1);
  });

  it('PostgreSQL while the index was never built, or from another definition', async () => {
    build.signature = null;
    expect(await answered()).to.equal('postgres');
    build = { ...build, signature: 'older' };
    clock.advance(5_000);
    expect(await answered()).to.equal('postgres');
    build = { ...build, signature: signatureOf(index) };
    clock.advance(5_000);
    expect(await answered()).to.equal('meilisearch');
  });

  it('PostgreSQL while a change waits for long', async () => {
    build.oldestMark = new Date(clock.now().getTime() - 29_000);
    expect(await answered()).to.equal('meilisearch');
    clock.advance(5_000);
    expect(await answered()).to.equal('postgres');
    expect((await answering.health()).answering).to.equal('postgres');
  });

  it('looks at the builds once in some seconds', async () => {
    for (let times = 0; times < 10; times += 1) await answered();
    expect(reads).to.equal(1);
    clock.advance(5_000);
    await answered();
    expect(reads).to.equal(2);
  });

  it('PostgreSQL whenever Meilisearch fails, which is then left in peace', async () => {
    meili.works = false;
    for (let times = 0; times < 20; times += 1) expect(await answered()).to.equal('postgres');
    expect(meili.asked).to.be.within(1, 5);
    expect(await answering.health()).to.deep.equal({ engine: 'meilisearch', ok: false, answering: 'postgres' });
    meili.works = true;
    expect(await answering.health()).to.deep.equal({ engine: 'meilisearch', ok: true, answering: 'postgres' });
  });
});
