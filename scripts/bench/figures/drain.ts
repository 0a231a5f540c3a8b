import { indexes } from '../../../shared/indexes.js';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import { fillCatalogue, insertOwner } from '../catalogue.js';
import { secondsOf, type Figure } from '../figure.js';
import { openBenchContext } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const drain: Figure = {
  name: 'drain',
  title: '100,000 documents marked dirty and drained, against one raw bulk write',
  target: { atLeast: 0.5 },
  method:
    'Published items (title, description, tags, publisher) into the PostgreSQL engine. Ours: from 100,000 marks to none, so with reading ' +
    'the marks, four joined tables and clearing. Beside it: the engine’s own write of the same documents in one statement, ' +
    'which are in memory already. Both write into the emptied, indexed table.',
  async measure(stage) {
    const ctx = openBenchContext(stage, await stage.settings());
    const count = stage.quick ? 10_000 : 100_000;
    stage.say(`drain: filling the tables with ${count.toLocaleString('en-US')} items ...`);
    const ids = await fillCatalogue(ctx, await insertOwner(ctx), count);
    const index = indexes.find(({ name }) => name === 'vod');
    if (!index) throw new Error('there is no index vod');
    const engine = createPostgresEngine(ctx.db);
    await ctx.search.upkeep.drain('postgres');
    const documents = await index.document(ctx, ids);
    const rate = async (prepare: () => Promise<void>, work: () => Promise<unknown>): Promise<number> => {
      await ctx.db.rows('TRUNCATE search_documents_vod, search_words');
      await prepare();
      const seconds = await secondsOf(work);
      const [row] = await ctx.db.rows<{ found: number }>('SELECT count(*)::int AS found FROM search_documents_vod');
      if (row?.found !== count) throw new Error(`${row?.found} of ${count} documents were written`);
      return count / seconds;
    };
    const mark = (): Promise<void> => ctx.db.transaction((tx) => ctx.search.markDirty(tx, 'vod', ids));
    return sideBySide({
      unit: 'documents/s',
      rounds: 3,
      ours: () => rate(mark, () => ctx.search.upkeep.drain('postgres')),
      reference: () =>
        rate(
          async () => {},
          () => engine.write(index, documents, []),
        ),
      onProgress: stage.onProgress,
    });
  },
};
