import { clearBuilds, readBuilds } from './builds.js';
import { drainMarks } from './drain.js';
import { sweepIndex } from './drift.js';
import { definitionSignature } from './indexDefinition.js';
import { prepareEngine } from './prepareEngine.js';
import { endExpiredRebuilds, rebuildIndex } from './rebuild.js';
import type { Drift, EngineName, SearchEngine, SearchMaintenance } from './search.js';
import type { MaintenanceDeps } from './maintenanceDeps.js';

/**
 * Maintenance of the configured engines. The recorded builds of other engines are cleared, so that their indexes are rebuilt if
 * the engine is used again.
 */
export function createMaintenance(deps: MaintenanceDeps, engines: readonly SearchEngine[]): SearchMaintenance {
  const prepared = new Map<EngineName, Promise<void>>();

  /** Runs once per process, because definitions never change. A failed attempt is repeated at the next call. */
  function prepare(engine: SearchEngine): Promise<void> {
    let preparation = prepared.get(engine.name);
    if (!preparation) {
      preparation = prepareEngine(deps, engine);
      preparation.catch(() => prepared.delete(engine.name));
      prepared.set(engine.name, preparation);
    }
    return preparation;
  }

  const find = (name: EngineName, indexName: string) => ({
    engine: engines.find((candidate) => candidate.name === name),
    index: deps.indexes.find((candidate) => candidate.name === indexName),
  });

  return {
    engines: engines.map(({ name }) => name),
    async drain(name, signal) {
      const engine = engines.find((candidate) => candidate.name === name);
      if (!engine) {
        await clearBuilds(deps.db, name);
        return 0;
      }
      await prepare(engine);
      return drainMarks(deps, engine, signal);
    },
    async isBuilt(name, indexName) {
      const { engine, index } = find(name, indexName);
      if (!engine || !index) return true;
      const builds = await readBuilds(deps.db, name);
      return builds.some((build) => build.indexName === indexName && build.signature === definitionSignature(index));
    },
    async rebuild(name, indexName, signal, progress) {
      const { engine, index } = find(name, indexName);
      if (!engine || !index) return false;
      return rebuildIndex(deps, engine, index, signal, progress);
    },
    async sweepDrift(signal) {
      const found: Drift[] = [];
      for (const engine of engines) found.push(...(await sweepEngine(deps, engine, signal)));
      return found;
    },
  };
}

async function sweepEngine(deps: MaintenanceDeps, engine: SearchEngine, signal?: AbortSignal): Promise<Drift[]> {
  const found: Drift[] = [];
  await engine.prepare(deps.indexes);
  await endExpiredRebuilds(deps, engine);
  for (const index of deps.indexes) {
    const drift = await sweepIndex(deps, engine, index, signal);
    if (drift.missing + drift.dangling + drift.outdated > 0) deps.log.warn(drift, 'search index drift');
    found.push(drift);
  }
  const pruned = (await engine.pruneVocabulary?.(deps.indexes, signal)) ?? 0;
  if (pruned > 0) deps.log.info({ engine: engine.name, words: pruned }, 'search vocabulary pruned');
  return found;
}
