import { digestOf } from './digest.js';
import { addMarks, unmarkedOf } from './dirtyMarks.js';
import { drainSearch } from './search.jobs.js';
import type { BoundIndex } from './indexDefinition.js';
import type { Drift, SearchEngine, StoredDigest } from './search.js';
import type { MaintenanceDeps } from './maintenanceDeps.js';

const pageSize = 1000;

/**
 * Compares the rows with the documents of an engine, page by page in id order, and marks every difference. Documents that are
 * marked already do not count as drift.
 */
export async function sweepIndex(
  deps: MaintenanceDeps,
  engine: SearchEngine,
  index: BoundIndex,
  signal?: AbortSignal,
): Promise<Drift> {
  const drift = { missing: 0, dangling: 0, outdated: 0 };
  let afterId: string | null = null;
  do {
    signal?.throwIfAborted();
    const [expected, stored]: [readonly string[], readonly StoredDigest[]] = await Promise.all([
      index.ids(afterId, pageSize),
      engine.digests(index, afterId, pageSize),
    ]);
    const storedIds = stored.map(({ id }) => id);
    const end = commonEnd(expected, storedIds);
    const found = {
      missing: onlyIn(expected, storedIds, end),
      dangling: onlyIn(storedIds, expected, end),
      outdated: await outdatedIn(index, expected, stored),
    };
    const unmarked = await markDrift(deps, engine, index, Object.values(found).flat());
    for (const [kind, ids] of Object.entries(found))
      drift[kind as keyof typeof drift] += ids.filter((id) => unmarked.has(id)).length;
    afterId = end;
  } while (afterId !== null);
  return { engine: engine.name, index: index.name, ...drift };
}

/** The last id up to which both pages are complete; null if both are the last page. */
function commonEnd(expected: readonly string[], storedIds: readonly string[]): string | null {
  const ends = [expected, storedIds].filter((ids) => ids.length >= pageSize).map((ids) => ids.at(-1) ?? '');
  return ends.length === 0 ? null : ends.reduce((first, second) => (first < second ? first : second));
}

function onlyIn(ids: readonly string[], others: readonly string[], end: string | null): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id) && (end === null || id <= end));
}

/** Documents that exist on both sides with different digests. */
async function outdatedIn(
  index: BoundIndex,
  expected: readonly string[],
  stored: readonly StoredDigest[],
): Promise<string[]> {
  const digests = new Map(stored.map(({ id, digest }) => [id, digest]));
  const ids = expected.filter((id) => digests.has(id));
  const documents = ids.length === 0 ? [] : await index.document(ids);
  return documents.filter((document) => digests.get(document.id) !== digestOf(index, document)).map(({ id }) => id);
}

/** Marks the documents that have no mark, and resolves with their ids. */
async function markDrift(
  deps: MaintenanceDeps,
  engine: SearchEngine,
  index: BoundIndex,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const unmarked = ids.length === 0 ? [] : await unmarkedOf(deps.db, engine.name, index.name, ids);
  if (unmarked.length > 0)
    await deps.db.transaction(async (tx) => {
      await addMarks(deps.db, deps.clock, tx, [engine.name], index.name, unmarked);
      await deps.outbox.add(tx, drainSearch, { engine: engine.name });
    });
  return new Set(unmarked);
}
