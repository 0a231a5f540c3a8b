import { addMarks } from './marks.js';
import { drainSearch } from './search.jobs.js';
import type { Drift, IndexDefinition, SearchEngine } from './search.js';
import type { Upkeep } from './upkeep.js';

const pageSize = 1000;

/** Walks rows and engine side by side in id order, and marks what only one of them has. */
export async function sweepIndex(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  signal?: AbortSignal,
): Promise<Drift> {
  let missing = 0;
  let dangling = 0;
  let afterId: string | null = null;
  do {
    signal?.throwIfAborted();
    const [wanted, held]: [readonly string[], readonly string[]] = await Promise.all([
      index.ids(upkeep.context(), afterId, pageSize),
      engine.ids(index, afterId, pageSize),
    ]);
    const end = commonEnd(wanted, held);
    const lacking = onlyIn(wanted, held, end);
    const leftOver = onlyIn(held, wanted, end);
    await markDrift(upkeep, engine, index, [...lacking, ...leftOver]);
    missing += lacking.length;
    dangling += leftOver.length;
    afterId = end;
  } while (afterId !== null);
  return { engine: engine.name, index: index.name, missing, dangling };
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

async function markDrift(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await upkeep.db.transaction(async (tx) => {
    await addMarks(upkeep.db, upkeep.clock, tx, [engine.name], index.name, ids);
    await upkeep.outbox.add(tx, drainSearch, { engine: engine.name });
  });
}
