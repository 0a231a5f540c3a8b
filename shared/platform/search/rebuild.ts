import { randomUUID } from 'node:crypto';
import { beginRebuild, deadRebuilds, endRebuild, recordBuild, renewRebuild } from './builds.js';
import { signatureOf } from './indexDefinition.js';
import { restoreMarks, acquireFence } from './marks.js';
import { drainSearch } from './search.jobs.js';
import type { IndexDefinition } from './indexDefinition.js';
import type { RebuildProgress, SearchDocument, SearchEngine } from './search.js';
import type { Upkeep } from './upkeep.js';

const batchSize = 1000;

/**
 * Builds an index from the rows beside the one that answers, and swaps. Drains go on meanwhile; what they clear is
 * kept and marked again after the swap, and the turn is taken so that a batch under way marks itself again: no
 * change is lost. False where another rebuild of the same index is under way.
 */
export async function rebuildIndex(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  signal?: AbortSignal,
  progress?: RebuildProgress,
): Promise<boolean> {
  const { db, clock } = upkeep;
  const rebuildId = randomUUID();
  await engine.prepare([index]);
  if (!(await beginRebuild(db, engine.name, index.name, rebuildId, clock.now()))) return false;
  try {
    await engine.rebuild(index, allDocuments(upkeep, index, rebuildId, signal, progress));
  } catch (error) {
    await endWith(upkeep, engine, index, rebuildId).catch((cause: unknown) =>
      upkeep.log.error({ err: cause }, 'rebuild not ended'),
    );
    throw error;
  }
  await endWith(upkeep, engine, index, rebuildId, signatureOf(index));
  return true;
}

/** What a rebuild that died left behind: the changes it kept are dirty again. */
export async function endDeadRebuilds(upkeep: Upkeep, engine: SearchEngine): Promise<void> {
  for (const { indexName, rebuildId } of await deadRebuilds(upkeep.db, engine.name, upkeep.clock.now())) {
    const index = upkeep.indexes.find(({ name }) => name === indexName);
    if (index) await endWith(upkeep, engine, index, rebuildId);
  }
}

/** Marks again what was cleared meanwhile: whichever build now answers, it has or gets every change. */
async function endWith(
  upkeep: Upkeep,
  engine: SearchEngine,
  index: IndexDefinition,
  rebuildId: string,
  signature?: string,
): Promise<void> {
  const { db } = upkeep;
  await db.transaction(async (tx) => {
    await acquireFence(db, engine.name, tx);
    await restoreMarks(db, tx, engine.name, index.name);
    if (signature) await recordBuild(db, engine.name, index.name, signature, tx);
    await endRebuild(db, rebuildId, tx);
    await upkeep.outbox.add(tx, drainSearch, { engine: engine.name });
  });
}

/** Every document of an index as the rows are now, in id order; shows life at each batch. */
async function* allDocuments(
  upkeep: Upkeep,
  index: IndexDefinition,
  rebuildId: string,
  signal: AbortSignal | undefined,
  progress: RebuildProgress | undefined,
): AsyncGenerator<readonly SearchDocument[]> {
  const total = progress ? await countIds(upkeep, index) : 0;
  let done = 0;
  for await (const ids of pagesOfIds(upkeep, index)) {
    signal?.throwIfAborted();
    await renewRebuild(upkeep.db, rebuildId, upkeep.clock.now());
    const documents = await index.document(upkeep.context(), ids);
    if (documents.length > 0) yield documents;
    done += ids.length;
    progress?.(done, total);
  }
}

async function countIds(upkeep: Upkeep, index: IndexDefinition): Promise<number> {
  let count = 0;
  for await (const ids of pagesOfIds(upkeep, index)) count += ids.length;
  return count;
}

async function* pagesOfIds(upkeep: Upkeep, index: IndexDefinition): AsyncGenerator<readonly string[]> {
  let afterId: string | null = null;
  for (;;) {
    const ids: readonly string[] = await index.ids(upkeep.context(), afterId, batchSize);
    if (ids.length === 0) return;
    yield ids;
    afterId = ids.at(-1) ?? null;
  }
}
