import type { Upkeep } from './upkeep.js';
import { addMarks, clearMarks, readMarks, acquireFence, type Mark, type MarkCursor } from './marks.js';
import { drainSearch } from './search.jobs.js';
import type { IndexDefinition } from './indexDefinition.js';
import type { SearchEngine } from './search.js';

/** Documents of one batch: one read of rows, one upsert, one removal. */
const batchSize = 1000;
/** Batches under way at once, so that rows are read while the engine writes. */
const batchesAtOnce = 2;

/**
 * House law 5: brings an engine in step with the rows. Every mark stands until the engine has the document as the
 * rows are after the mark was read; a mark that moves meanwhile stays for the next pass. Two drains at once do no
 * harm: the later one takes the turn, and the earlier one marks again what it wrote last, and stops.
 * Resolves with how many marks were cleared.
 */
export async function drainMarks(upkeep: Upkeep, engine: SearchEngine, signal?: AbortSignal): Promise<number> {
  const turn = await acquireFence(upkeep.db, engine.name);
  let total = 0;
  for (;;) {
    const cleared = await drainOnce(upkeep, engine, turn, signal);
    total += cleared ?? 0;
    if (!cleared) return total;
  }
}

/** One pass over all marks; null where the turn was lost. */
async function drainOnce(
  upkeep: Upkeep,
  engine: SearchEngine,
  turn: string,
  signal?: AbortSignal,
): Promise<number | null> {
  const results: (number | null)[] = [];
  let cursor: MarkCursor | null = null;
  let finished = false;
  const work = async () => {
    while (!finished) {
      signal?.throwIfAborted();
      const marks: Mark[] = await nextMarks();
      if (marks.length === 0) return;
      const cleared = await writeMarked(upkeep, engine, turn, marks);
      finished ||= cleared === null;
      results.push(cleared);
    }
  };
  /** One reader at a time: each batch starts where the one before ended, so no document is in two of them. */
  let reading: Promise<unknown> = Promise.resolve();
  const nextMarks = (): Promise<Mark[]> => {
    const marks = reading.then(async () => {
      const page = finished ? [] : await readMarks(upkeep.db, engine.name, upkeep.indexNames, cursor, batchSize);
      cursor = page.at(-1) ?? cursor;
      finished ||= page.length < batchSize;
      return page;
    });
    reading = marks.catch(() => undefined);
    return marks;
  };
  const workers = await Promise.allSettled(Array.from({ length: batchesAtOnce }, work));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results.includes(null) ? null : results.reduce<number>((sum, cleared) => sum + (cleared ?? 0), 0);
}

/** Rows now, one upsert and one removal, wait for the engine, clear. */
async function writeMarked(
  upkeep: Upkeep,
  engine: SearchEngine,
  turn: string,
  marks: readonly Mark[],
): Promise<number | null> {
  for (const index of upkeep.indexes) {
    const ids = marks.filter(({ indexName }) => indexName === index.name).map(({ documentId }) => documentId);
    if (ids.length > 0) await writeDocuments(upkeep, engine, index, ids);
  }
  const cleared = await clearMarks(upkeep.db, engine.name, turn, upkeep.clock.now(), marks);
  if (cleared === null) await markAgain(upkeep, engine, marks);
  return cleared;
}

async function writeDocuments(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  ids: readonly string[],
): Promise<void> {
  const documents = await index.document(upkeep.context(), ids);
  const present = new Set(documents.map(({ id }) => id));
  await engine.write(
    index,
    documents,
    ids.filter((id) => !present.has(id)),
  );
}

/** What was written after the turn was lost may be older than what the other drain wrote: somebody must look again. */
async function markAgain(upkeep: Upkeep, engine: SearchEngine, marks: readonly Mark[]): Promise<void> {
  await upkeep.db.transaction(async (tx) => {
    for (const indexName of upkeep.indexNames) {
      const ids = marks.filter((mark) => mark.indexName === indexName).map(({ documentId }) => documentId);
      await addMarks(upkeep.db, upkeep.clock, tx, [engine.name], indexName, ids);
    }
    await upkeep.outbox.add(tx, drainSearch, { engine: engine.name });
  });
}
