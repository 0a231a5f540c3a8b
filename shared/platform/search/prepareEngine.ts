import { readBuilds, recordBuild } from './builds.js';
import { signatureOf } from './indexDefinition.js';
import { addMarks } from './marks.js';
import { rebuildSearch } from './search.jobs.js';
import type { IndexDefinition } from './indexDefinition.js';
import type { SearchEngine } from './search.js';
import type { Upkeep } from './upkeep.js';

/** An index of up to so many documents is filled by the next drain; a larger one is built aside by a job. */
const smallIndex = 1000;

/**
 * Brings an engine up to the present definitions: tables and settings at once, documents of an index that was never
 * built here, or from another definition, by marks or by a rebuild.
 */
export async function prepareEngine(upkeep: Upkeep, engine: SearchEngine): Promise<void> {
  await engine.prepare(upkeep.indexes);
  const builds = new Map((await readBuilds(upkeep.db, engine.name)).map((build) => [build.indexName, build.signature]));
  for (const index of upkeep.indexes) {
    if (builds.get(index.name) !== signatureOf(index)) await fill(upkeep, engine, index);
  }
}

async function fill(upkeep: Upkeep, engine: SearchEngine, index: IndexDefinition): Promise<void> {
  const ids = await index.ids(upkeep.context(), null, smallIndex + 1);
  await upkeep.db.transaction(async (tx) => {
    if (ids.length > smallIndex) {
      await upkeep.outbox.add(tx, rebuildSearch, { engine: engine.name, index: index.name });
      return;
    }
    await addMarks(upkeep.db, upkeep.clock, tx, [engine.name], index.name, ids);
    await recordBuild(upkeep.db, engine.name, index.name, signatureOf(index), tx);
  });
}
