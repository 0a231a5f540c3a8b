import { forgetBuilds } from './builds.js';
import { drainMarks } from './drain.js';
import { sweepIndex } from './drift.js';
import { prepareEngine } from './prepareEngine.js';
import { endDeadRebuilds, rebuildIndex } from './rebuild.js';
import type { Drift, EngineName, SearchEngine, SearchUpkeep } from './search.js';
import type { Upkeep } from './upkeep.js';

/** The upkeep of the given engines; one that is not among them is only forgotten, so that it starts anew if it comes back. */
export function createUpkeep(upkeep: Upkeep, engines: readonly SearchEngine[]): SearchUpkeep {
  const prepared = new Map<EngineName, Promise<void>>();

  /** Once a process: a process keeps the definitions it was started with. An attempt that failed is made again. */
  function prepare(engine: SearchEngine): Promise<void> {
    let preparation = prepared.get(engine.name);
    if (!preparation) {
      preparation = prepareEngine(upkeep, engine);
      preparation.catch(() => prepared.delete(engine.name));
      prepared.set(engine.name, preparation);
    }
    return preparation;
  }

  return {
    engines: engines.map(({ name }) => name),
    async drain(name, signal) {
      const engine = engines.find((candidate) => candidate.name === name);
      if (!engine) {
        await forgetBuilds(upkeep.db, name);
        return 0;
      }
      await prepare(engine);
      return drainMarks(upkeep, engine, signal);
    },
    async rebuild(name, indexName, signal, progress) {
      const engine = engines.find((candidate) => candidate.name === name);
      const index = upkeep.indexes.find((candidate) => candidate.name === indexName);
      if (!engine || !index) return false;
      return rebuildIndex(upkeep, engine, index, signal, progress);
    },
    async sweepDrift(signal) {
      const found: Drift[] = [];
      for (const engine of engines) found.push(...(await sweepEngine(upkeep, engine, signal)));
      return found;
    },
  };
}

async function sweepEngine(upkeep: Upkeep, engine: SearchEngine, signal?: AbortSignal): Promise<Drift[]> {
  const found: Drift[] = [];
  await engine.prepare(upkeep.indexes);
  await endDeadRebuilds(upkeep, engine);
  for (const index of upkeep.indexes) {
    const drift = await sweepIndex(upkeep, engine, index, signal);
    if (drift.missing + drift.dangling + drift.outdated > 0) upkeep.log.warn(drift, 'search index had drifted');
    found.push(drift);
  }
  return found;
}
