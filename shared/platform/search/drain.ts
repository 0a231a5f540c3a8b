import { acquireFence, addMarks, clearMarks, readMarks, type DirtyMark, type DirtyMarkCursor } from './dirtyMarks.js';
import type { BoundIndex } from './indexDefinition.js';
import type { MaintenanceDeps } from './maintenanceDeps.js';
import { drainSearch } from './search.jobs.js';
import type { SearchDocument, SearchEngine } from './search.js';

/** Documents of one batch: one query for the rows, one upsert, one removal. */
const batchSize = 1000;
/** Number of documents in memory at once: this number at first, then as many as fit into `sliceLength` characters. */
const firstDocuments = 64;
const sliceLength = 8 * 1024 ** 2;
const maxGrowth = 4;
/**
 * Batches in progress at the same time: rows are read and documents created while the engine writes others. Each batch takes
 * about equal time in this process and in the database; with two, one of them often waits for the other.
 */
const concurrentBatches = 4;

/**
 * Writes every marked document to an engine. A mark is cleared only after the engine has a version of the document that was read
 * after the mark; a mark whose version changes meanwhile remains for the next pass. Concurrent drains are safe: the later one has
 * the newer fencing token, and the earlier one marks its last batch again and stops. Resolves with the number of cleared marks.
 */
export async function drainMarks(deps: MaintenanceDeps, engine: SearchEngine, signal?: AbortSignal): Promise<number> {
  const fencingToken = await acquireFence(deps.db, engine.name);
  let total = 0;
  for (;;) {
    const cleared = await drainOnce(deps, engine, fencingToken, signal);
    total += cleared ?? 0;
    if (!cleared) return total;
  }
}

/** One pass over all marks; null if the fencing token is no longer the newest. */
async function drainOnce(
  deps: MaintenanceDeps,
  engine: SearchEngine,
  fencingToken: number,
  signal?: AbortSignal,
): Promise<number | null> {
  const results: (number | null)[] = [];
  let cursor: DirtyMarkCursor | null = null;
  let finished = false;
  const work = async () => {
    while (!finished) {
      signal?.throwIfAborted();
      const marks: DirtyMark[] = await nextMarks();
      if (marks.length === 0) return;
      const cleared = await writeMarked(deps, engine, fencingToken, marks);
      finished ||= cleared === null;
      results.push(cleared);
    }
  };
  /** Pages are read sequentially, each from the end of the previous one: no document is in two batches. */
  let reading: Promise<unknown> = Promise.resolve();
  const nextMarks = (): Promise<DirtyMark[]> => {
    const marks = reading.then(async () => {
      const page = finished ? [] : await readMarks(deps.db, engine.name, deps.indexNames, cursor, batchSize);
      cursor = page.at(-1) ?? cursor;
      finished ||= page.length < batchSize;
      return page;
    });
    reading = marks.catch(() => undefined);
    return marks;
  };
  const workers = await Promise.allSettled(Array.from({ length: concurrentBatches }, work));
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason;
  return results.includes(null) ? null : results.reduce<number>((sum, cleared) => sum + (cleared ?? 0), 0);
}

/** Writes the documents of these marks, waits for the engine, and clears the marks. */
async function writeMarked(
  deps: MaintenanceDeps,
  engine: SearchEngine,
  fencingToken: number,
  marks: readonly DirtyMark[],
): Promise<number | null> {
  for (const index of deps.indexes) {
    const ids = marks.filter(({ indexName }) => indexName === index.name).map(({ documentId }) => documentId);
    if (ids.length > 0) await writeDocuments(engine, index, ids);
  }
  const cleared = await clearMarks(deps.db, engine.name, fencingToken, marks);
  if (cleared === null) await markAgain(deps, engine, marks);
  return cleared;
}

async function writeDocuments(engine: SearchEngine, index: BoundIndex, ids: readonly string[]): Promise<void> {
  let count = firstDocuments;
  for (let start = 0; start < ids.length;) {
    const slice = ids.slice(start, start + count);
    const documents = await index.document(slice);
    const present = new Set(documents.map(({ id }) => id));
    await engine.write(
      index,
      documents,
      slice.filter((id) => !present.has(id)),
    );
    start += slice.length;
    count = nextCount(documents, slice.length);
  }
}

/** The number of documents to read next, if they have about the same length as the previous ones. */
function nextCount(documents: readonly SearchDocument[], before: number): number {
  const length = documents.reduce((sum, document) => sum + lengthOf(document), 0);
  const fitting = Math.floor((sliceLength * documents.length) / Math.max(1, length));
  return Math.max(1, Math.min(before * maxGrowth, documents.length > 0 ? fitting : before));
}

function lengthOf(document: SearchDocument): number {
  return Object.values(document).reduce<number>((sum, value) => sum + String(value ?? '').length, 0);
}

/** The documents just written may be older than those of the drain with the newer token, so they are marked again. */
async function markAgain(deps: MaintenanceDeps, engine: SearchEngine, marks: readonly DirtyMark[]): Promise<void> {
  await deps.db.transaction(async (tx) => {
    for (const indexName of deps.indexNames) {
      const ids = marks.filter((mark) => mark.indexName === indexName).map(({ documentId }) => documentId);
      await addMarks(deps.db, deps.clock, tx, [engine.name], indexName, ids);
    }
    await deps.outbox.add(tx, drainSearch, { engine: engine.name });
  });
}
