import { digestOf } from './digest.js';
import { addMarks, unmarkedOf } from './marks.js';
import { drainSearch } from './search.jobs.js';
import type { IndexDefinition } from './indexDefinition.js';
import type { Drift, HeldDocument, SearchEngine } from './search.js';
import type { Upkeep } from './upkeep.js';

const pageSize = 1000;

/**
 * Walks rows and engine side by side in id order, and marks what only one of them has and what the rows say otherwise.
 * What is marked already waits to be written: that is no drift.
 */
export async function sweepIndex(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  signal?: AbortSignal,
): Promise<Drift> {
  const drift = { missing: 0, dangling: 0, outdated: 0 };
  let afterId: string | null = null;
  do {
    signal?.throwIfAborted();
    const [wanted, held]: [readonly string[], readonly HeldDocument[]] = await Promise.all([
      index.ids(upkeep.context(), afterId, pageSize),
      engine.held(index, afterId, pageSize),
    ]);
    const heldIds = held.map(({ id }) => id);
    const end = commonEnd(wanted, heldIds);
    const found = {
      missing: onlyIn(wanted, heldIds, end),
      dangling: onlyIn(heldIds, wanted, end),
      outdated: await outdatedIn(upkeep, index, wanted, held),
    };
    const unmarked = await markDrift(upkeep, engine, index, Object.values(found).flat());
    for (const [kind, ids] of Object.entries(found))
      drift[kind as keyof typeof drift] += ids.filter((id) => unmarked.has(id)).length;
    afterId = end;
  } while (afterId !== null);
  return { engine: engine.name, index: index.name, ...drift };
}

/** Up to where both pages are complete; null where both are the last. */
function commonEnd(wanted: readonly string[], held: readonly string[]): string | null {
  const ends = [wanted, held].filter((ids) => ids.length >= pageSize).map((ids) => ids.at(-1) ?? '');
  return ends.length === 0 ? null : ends.reduce((first, second) => (first < second ? first : second));
}

function onlyIn(ids: readonly string[], others: readonly string[], end: string | null): string[] {
  const known = new Set(others);
  return ids.filter((id) => !known.has(id) && (end === null || id <= end));
}

/** What both have, of which the rows now make another document than the engine was given. */
async function outdatedIn(
  upkeep: Upkeep,
  index: IndexDefinition,
  wanted: readonly string[],
  held: readonly HeldDocument[],
): Promise<string[]> {
  const digests = new Map(held.map(({ id, digest }) => [id, digest]));
  const ids = wanted.filter((id) => digests.has(id));
  const documents = ids.length === 0 ? [] : await index.document(upkeep.context(), ids);
  return documents.filter((document) => digests.get(document.id) !== digestOf(index, document)).map(({ id }) => id);
}

/** Marks those without a mark, and resolves with them. */
async function markDrift(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const unmarked = ids.length === 0 ? [] : await unmarkedOf(upkeep.db, engine.name, index.name, ids);
  if (unmarked.length > 0)
    await upkeep.db.transaction(async (tx) => {
      await addMarks(upkeep.db, upkeep.clock, tx, [engine.name], index.name, unmarked);
      await upkeep.outbox.add(tx, drainSearch, { engine: engine.name });
    });
  return new Set(unmarked);
}
