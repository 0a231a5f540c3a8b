import { readBuilds, recordBuild } from './builds.js';
import { definitionSignature, type BoundIndex } from './indexDefinition.js';
import { addMarks } from './dirtyMarks.js';
import { rebuildSearch } from './search.jobs.js';
import type { SearchEngine } from './search.js';
import type { MaintenanceDeps } from './maintenanceDeps.js';

/** An index with at most this many documents is filled by the next drain; a larger one is rebuilt by a job. */
const smallIndex = 1000;

/**
 * Brings an engine up to date with the index definitions: creates tables and settings, and fills each index that was never built
 * in this engine or has another signature, with marks or a rebuild.
 */
export async function prepareEngine(deps: MaintenanceDeps, engine: SearchEngine): Promise<void> {
  await engine.prepare(deps.indexes);
  const builds = new Map((await readBuilds(deps.db, engine.name)).map((build) => [build.indexName, build.signature]));
  for (const index of deps.indexes) {
    if (builds.get(index.name) !== definitionSignature(index)) await fill(deps, engine, index);
  }
}

async function fill(deps: MaintenanceDeps, engine: SearchEngine, index: BoundIndex): Promise<void> {
  const ids = await index.ids(null, smallIndex + 1);
  await deps.db.transaction(async (tx) => {
    if (ids.length > smallIndex) {
      await deps.outbox.add(tx, rebuildSearch, { engine: engine.name, index: index.name });
      return;
    }
    await addMarks(deps.db, deps.clock, tx, [engine.name], index.name, ids);
    await recordBuild(deps.db, engine.name, index.name, definitionSignature(index), tx);
  });
}
