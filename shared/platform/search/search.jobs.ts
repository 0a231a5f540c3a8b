import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../queue/index.js';

export interface EnginePayload {
  readonly engine: 'postgres' | 'meilisearch';
}

export interface RebuildPayload extends EnginePayload {
  readonly index: string;
}

const engine = Joi.string().valid('postgres', 'meilisearch').required();

/** Writes the marked documents of one engine. If added while it runs, it runs once more afterwards. */
export const drainSearch = defineJob({
  name: 'search.drain',
  queue: 'search-sync',
  payload: Joi.object<EnginePayload, true>({ engine }),
  key: (payload: EnginePayload) => `search-drain-${payload.engine}`,
  repeats: 'latest',
  attempts: 5,
  backoffMs: 1_000,
  timeoutMs: 10 * 60_000,
});

/** Rebuilds one index of one engine next to the one in use. */
export const rebuildSearch = defineJob({
  name: 'search.rebuild',
  queue: 'search-sync',
  payload: Joi.object<RebuildPayload, true>({ engine, index: Joi.string().required() }),
  key: (payload: RebuildPayload) => `search-rebuild-${payload.engine}-${payload.index}`,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 10_000,
  timeoutMs: 60 * 60_000,
});

/** Compares the rows with the documents of the engines, and marks missing, dangling and outdated documents. */
export const sweepSearchDrift = definePeriodicJob({
  name: 'search.sweepDrift',
  attempts: 3,
  backoffMs: 60_000,
  timeoutMs: 60 * 60_000,
});
