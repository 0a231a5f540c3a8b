import type { OpenContext } from '../../../shared/openContext.js';
import { indexes } from '../../../shared/indexes.js';
import { documentRows } from '../../../shared/platform/search/postgres/documentRow.js';
import { createPostgresEngine } from '../../../shared/platform/search/postgres/postgresEngine.js';
import { fillCatalogue, insertOwner } from '../catalogue.js';
import { elapsedSeconds, type Figure, type Measured } from '../figure.js';
import { openBenchContext } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const drainFigure: Figure = {
  name: 'drain',
  title: '100,000 documents marked dirty and drained, against one raw bulk write of the same',
  target: { atLeast: 0.6 },
  method:
    'Published items (title, description, tags, publisher) into the PostgreSQL engine. Ours: from 100,000 marks to none: reads the marks ' +
    'and four joined tables, builds and writes the documents, clears the marks. Reference: one `INSERT ... SELECT` of the finished rows, ' +
    'built before. In parentheses also the ratio to one write of all documents by the engine, which first normalizes their words. ' +
    'Each time into the truncated table with its indexes.',
  async measure(bench) {
    const ctx = await openBenchContext(bench, await bench.settings());
    const count = bench.quick ? 10_000 : 100_000;
    bench.say(`Filling the tables with ${count.toLocaleString('en-US')} items ...`);
    const ids = await fillCatalogue(ctx, await insertOwner(ctx), count);
    const index = indexes.find(({ name }) => name === 'vod');
    if (!index) throw new Error('there is no index vod');
    const engine = createPostgresEngine(ctx.db);
    await ctx.search.maintenance.drain('postgres');
    // Not all documents are in memory while the drain is measured: no worker has them, and marking them would take its time.
    const rows = JSON.stringify(documentRows(index, await index.document(ctx, ids)).rows);
    const mark = (): Promise<void> => ctx.db.transaction((tx) => ctx.search.markDirty(tx, 'vod', ids));
    const drained = () => rate(ctx, count, () => ctx.search.maintenance.drain('postgres'), mark);
    const compare = (reference: () => Promise<number>, warmUps: number, part: number): Promise<Measured> =>
      sideBySide({
        ...{ unit: 'documents/s', warmUps, rounds: 3, ours: drained, reference },
        onProgress: (percent) => bench.onProgress((part * 100 + percent) / 2),
      });
    const plain = await compare(() => rate(ctx, count, () => insert(ctx, rows)), 1, 0);
    const documents = await index.document(ctx, ids);
    const engines = await compare(() => rate(ctx, count, () => engine.write(index, documents, [])), 0, 1);
    return { ...plain, note: `${plain.note}; to one write by the engine ${engines.result.toFixed(2)}` };
  },
};

/** Documents per second that `work` writes into the truncated table. Throws if any is missing. */
async function rate(
  ctx: OpenContext,
  count: number,
  work: () => Promise<unknown>,
  prepare: () => Promise<void> = async () => {},
): Promise<number> {
  await ctx.db.rows('TRUNCATE search_documents_vod');
  await ctx.db.rows('VACUUM ANALYZE search_marks');
  await ctx.db.rows('CHECKPOINT');
  await prepare();
  const seconds = await elapsedSeconds(work);
  const [row] = await ctx.db.rows<{ found: number }>('SELECT count(*)::int AS found FROM search_documents_vod');
  if (row?.found !== count) throw new Error(`${row?.found} of ${count} documents were written`);
  return count / seconds;
}

async function insert(ctx: OpenContext, rows: string): Promise<void> {
  await ctx.db.change(
    `INSERT INTO search_documents_vod (id, words, filters, sorts, digest)
     SELECT id, words::tsvector, filters, sorts, digest
     FROM json_to_recordset($rows::json) AS row(id text, words text, filters jsonb, sorts jsonb, digest text)`,
    { rows },
  );
}
