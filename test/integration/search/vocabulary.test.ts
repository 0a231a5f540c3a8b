import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { isStatementCancelled } from '../../../shared/platform/database/databaseErrors.js';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import { withTypos } from '../../../shared/platform/search/postgres/similarWords.js';
import { createVocabulary } from '../../../shared/platform/search/postgres/vocabulary.js';
import { vodIndex } from '../../../shared/vod/vod.index.js';
import { openTestContext } from '../../support/context.js';
import { drainSearch, seedBoxItem, changeRow } from '../../support/rows.js';
import { createUser } from '../../support/users.js';
import { findInBox, findVisible, seedVod } from './searchFixtures.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { useFixture } from '../../support/fixtures.js';

/** Different words of letters with the same beginning. */
function nearWords(beginning: string, count: number): string[] {
  const letterOf = (digit: string) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 26));
  return Array.from({ length: count }, (_, number) => {
    const letters = [...number.toString(26).padStart(4, '0')].map(letterOf);
    return beginning + letters.join('');
  });
}

describe('the search vocabulary', () => {
  const ctx = useFixture(openTestContext);
  let ownerId: string;

  before(async () => {
    ownerId = await createUser(ctx);
    await drainSearch(ctx);
  });

  const stored = async (like: string): Promise<string[]> => {
    const rows = await ctx.db.rows<{ word: string }>(
      'SELECT word FROM search_words WHERE word LIKE $like ORDER BY word',
      { like },
    );
    return rows.map(({ word }) => word);
  };
  const keysOf = async (like: string): Promise<number> => {
    const [row] = await ctx.db.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM search_typo_keys WHERE word LIKE $like',
      { like },
    );
    return row?.count ?? 0;
  };
  const add = (words: readonly string[]) =>
    ctx.db.transaction((tx) => createVocabulary(ctx.db).add(tx, new Set(words)));
  const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  it('contains only words of public documents', async () => {
    await seedBoxItem(ctx, ownerId, { title: 'secretbox', description: 'secretdescription' });
    await seedVod(ctx, ownerId, { title: 'secretunlisted', public: false });
    await seedVod(ctx, ownerId, { title: 'secretfailed', state: 'FAILED' });
    const { vodId } = await seedVod(ctx, ownerId, { title: 'Publicly 12345678 abc', tags: ['taglike'] });
    await drainSearch(ctx);
    expect(await stored('secret%')).to.deep.equal([]);
    expect(await stored('publicly')).to.deep.equal(['publicly']);
    expect(await stored('taglike')).to.deep.equal(['taglike']);
    expect(await stored('12345678')).to.deep.equal([]);
    expect(await stored('abc')).to.deep.equal([]);
    expect(await findVisible(ctx, 'publicky')).to.deep.equal([vodId]);
  });

  it('contains at most 64 words per document, those of its shortest texts first', async () => {
    const description = nearWords('crowded', 2_000).join(' ');
    await seedVod(ctx, ownerId, { title: 'crowdtitle', tags: ['crowdtag'], description });
    await drainSearch(ctx);
    expect(await stored('crowdt%')).to.deep.equal(['crowdtag', 'crowdtitle']);
    expect((await stored('crowded%')).length).to.be.within(50, 62);
  });

  it('loses a document’s words in the drift sweep after the document’s removal', async () => {
    const first = await seedVod(ctx, ownerId, { title: 'Evanescent common0word' });
    const second = await seedVod(ctx, ownerId, { title: 'Remaining common0word' });
    await drainSearch(ctx);
    expect(await keysOf('evanescent')).to.be.above(0);
    await ctx.db.transaction(async (tx) => {
      await changeRow(ctx, VodItem, first.vodId, { public: false }, tx);
      await ctx.search.markDirty(tx, 'vod', first.vodId);
    });
    await drainSearch(ctx);
    await ctx.search.maintenance.sweepDrift();
    expect(await stored('evanescent')).to.deep.equal([]);
    expect(await keysOf('evanescent')).to.equal(0);
    expect(await stored('common0word')).to.deep.equal(['common0word']);
    expect(await findVisible(ctx, 'remainimg')).to.deep.equal([second.vodId]);
    // The process had cached the word as stored.
    const third = await seedVod(ctx, ownerId, { title: 'Evanescent' });
    await drainSearch(ctx);
    expect(await findVisible(ctx, 'evanexcent')).to.deep.equal([third.vodId]);
  });

  it('keeps the words of a document written during a pruning', async () => {
    const engine = createPostgresEngine(ctx.db);
    await add(['contended']);
    let pruning: Promise<number> | undefined;
    await ctx.db.transaction(async (tx) => {
      await createVocabulary(ctx.db).add(tx, new Set(['contended']));
      pruning = engine.pruneVocabulary?.(indexes);
      // The pruning waits for this transaction, which writes a document with the word.
      await ctx.db.change(
        `INSERT INTO search_documents_vod (id, words, filters, sorts)
         VALUES ('contended', '''0contended'':1A'::tsvector, '{"visible": [true], "ownerId": ["none"], "expiresAt": [0]}', '{"publishedAt": 0}')`,
        {},
        tx,
      );
    });
    await pruning;
    expect(await stored('contended')).to.deep.equal(['contended']);
    await ctx.db.rows("DELETE FROM search_documents_vod WHERE id = 'contended'");
  });

  it('bounds the work of a query for any number of similar words', async () => {
    const all = nearWords('photograp', 4_000);
    await add(all.slice(0, 300));
    // A new process, which has written none of the words, counts them.
    const vocabulary = createVocabulary(ctx.db);
    for (const some of [all.slice(300, 1_000), all.slice(1_000)])
      await ctx.db.transaction((tx) => vocabulary.add(tx, new Set(some)));
    const words = nearWords('photograq', 10);
    const found = await withTypos(ctx.db, { words, prefix: true }, {});
    const typos = found.flatMap((word) => word.typos);
    expect(typos.length).to.be.within(1, 50);
    const [key] = await ctx.db.rows<{ words: number }>(
      "SELECT count(*)::int AS words FROM search_typo_keys WHERE word LIKE 'photograp%' GROUP BY key ORDER BY words DESC LIMIT 1",
    );
    expect(key?.words).to.equal(500);
    await findVisible(ctx, 'warm up');
    expect(await timeOf(() => findVisible(ctx, words.join(' ')))).to.be.below(1_000);
  });

  it('ranks the most similar words first', async () => {
    await add(['similarword', 'similarworx', 'simixarworx']);
    const [found] = await withTypos(ctx.db, { words: ['similarword'], prefix: false }, {});
    expect(found?.typos).to.deep.equal(['similarworx', 'simixarworx']);
  });

  it('returns exact matches if typos take too long, and fails if exact matches do too', async () => {
    const { vodId } = await seedVod(ctx, ownerId, { title: 'Longlasting search' });
    await drainSearch(ctx);
    const engine = createPostgresEngine(ctx.db, { searchTimeoutMs: 200 });
    const page = { pageSize: 20, pageIndex: 0, pagination: true };
    const search = (text: string, signal?: AbortSignal) =>
      engine.search(vodIndex, {
        ...{ text, groups: ['content'], filters: { visible: { equal: true } }, sort: [] },
        page: { ...page, ...(signal ? { signal } : {}) },
      });
    await search('longlasting');
    await ctx.db.transaction(async (tx) => {
      await ctx.db.rows('LOCK TABLE search_typo_keys IN ACCESS EXCLUSIVE MODE', {}, tx);
      expect(await search('longlasting search')).to.deep.equal({ ids: [vodId], totalCount: 1 });
      await ctx.db.rows('LOCK TABLE search_documents_vod IN ACCESS EXCLUSIVE MODE', {}, tx);
      const error = await search('longlasting').catch((reason: unknown) => reason);
      expect(isStatementCancelled(error)).to.equal(true);
    });
  });

  it('cancels the query of a disconnected caller', async () => {
    const caller = new AbortController();
    const page = { pageSize: 20, pageIndex: 0, pagination: true, signal: caller.signal };
    await findInBox(ctx, ownerId);
    await ctx.db.transaction(async (tx) => {
      await ctx.db.rows('LOCK TABLE search_documents_vod IN ACCESS EXCLUSIVE MODE', {}, tx);
      const query = { text: 'abandoned', groups: ['content'] as const, filters: {}, sort: [], page };
      const searching = ctx.search.query(vodIndex, query).catch(String);
      setTimeout(() => caller.abort(), 50);
      expect(await searching).to.contain('AbortError');
      const running = await ctx.db.rows(
        "SELECT 1 FROM pg_stat_activity WHERE query LIKE '%search_documents_vod%' AND wait_event_type = 'Lock'",
      );
      expect(running).to.deep.equal([]);
    });
  });
});
