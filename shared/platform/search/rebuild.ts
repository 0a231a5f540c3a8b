import { recordBuild } from './builds.js';
import { acquireFence, restoreMarks } from './dirtyMarks.js';
import { LeaseRenewal, newLeaseOwner } from '../lease/index.js';
import { definitionSignature, type BoundIndex } from './indexDefinition.js';
import type { MaintenanceDeps } from './maintenanceDeps.js';
import { endRebuild, expiredRebuilds, rebuildLeaseSeconds, renewRebuild, takeRebuild } from './rebuildLease.js';
import { drainSearch } from './search.jobs.js';
import type { RebuildProgress, SearchDocument, SearchEngine } from './search.js';

const batchSize = 1000;

/**
 * Builds an index from the rows, next to the one in use, and swaps the two. Drains continue meanwhile. No change is lost: the
 * marks that they clear are kept and restored after the swap, and a new fencing token makes a batch in progress mark its
 * documents again. False if another rebuild of the same index is in progress.
 */
export async function rebuildIndex(
  deps: MaintenanceDeps,
  engine: SearchEngine,
  index: BoundIndex,
  signal?: AbortSignal,
  progress?: RebuildProgress,
): Promise<boolean> {
  const { db, log } = deps;
  const leaseOwner = newLeaseOwner();
  await engine.prepare([index]);
  if (!(await takeRebuild(db, { engine: engine.name, indexName: index.name, leaseOwner }))) return false;
  const lostAfterMs = rebuildLeaseSeconds * 1000;
  const renew = (): Promise<boolean> => renewRebuild(db, leaseOwner);
  const renewal = new LeaseRenewal({ renew, lostAfterMs, log: log.child({ index: index.name }) });
  try {
    await engine.rebuild(index, allDocuments(index, renewal, signal, progress));
    await finish(deps, engine, index, leaseOwner, definitionSignature(index));
  } catch (error) {
    await finish(deps, engine, index, leaseOwner).catch((cause: unknown) =>
      log.error({ err: cause, index: index.name }, 'failed search rebuild not cleaned up'),
    );
    throw error;
  } finally {
    renewal.stop();
  }
  return true;
}

/** Ends rebuilds whose process has died, and restores the marks kept for them. */
export async function endExpiredRebuilds(deps: MaintenanceDeps, engine: SearchEngine): Promise<void> {
  for (const { indexName, leaseOwner } of await expiredRebuilds(deps.db, engine.name)) {
    const index = deps.indexes.find(({ name }) => name === indexName);
    if (index) await finish(deps, engine, index, leaseOwner);
  }
}

/** Restores the marks cleared during the rebuild, so that the index in use, old or new, receives every change. */
async function finish(
  deps: MaintenanceDeps,
  engine: SearchEngine,
  index: BoundIndex,
  leaseOwner: string,
  signature?: string,
): Promise<void> {
  const { db } = deps;
  await db.transaction(async (tx) => {
    await acquireFence(db, engine.name, tx);
    await restoreMarks(db, tx, engine.name, index.name);
    if (signature) await recordBuild(db, engine.name, index.name, signature, tx);
    await endRebuild(db, leaseOwner, tx);
    await deps.outbox.add(tx, drainSearch, { engine: engine.name });
  });
}

/** All documents of an index, in the order of their ids, in batches. Throws if `signal` aborts or the lease is lost. */
async function* allDocuments(
  index: BoundIndex,
  renewal: LeaseRenewal,
  signal: AbortSignal | undefined,
  progress: RebuildProgress | undefined,
): AsyncGenerator<readonly SearchDocument[]> {
  const total = progress ? await countIds(index) : 0;
  let done = 0;
  for await (const ids of pagesOfIds(index)) {
    signal?.throwIfAborted();
    // Detects a lost lease before the next write.
    await renewal.renew();
    const documents = await index.document(ids);
    if (documents.length > 0) yield documents;
    done += ids.length;
    progress?.(done, total);
  }
}

async function countIds(index: BoundIndex): Promise<number> {
  let count = 0;
  for await (const ids of pagesOfIds(index)) count += ids.length;
  return count;
}

async function* pagesOfIds(index: BoundIndex): AsyncGenerator<readonly string[]> {
  let afterId: string | null = null;
  for (;;) {
    const ids: readonly string[] = await index.ids(afterId, batchSize);
    if (ids.length === 0) return;
    yield ids;
    afterId = ids.at(-1) ?? null;
  }
}
