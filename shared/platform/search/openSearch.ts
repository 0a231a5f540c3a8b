import type { Config } from '../config.js';
import type { Context } from '../context.js';
import type { Database, Transaction } from '../database/database.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Outbox } from '../outbox/outbox.js';
import { pageOf } from '../formats/page.js';
import { answerFromMeilisearch, answerFromPostgres } from './answer.js';
import { createUpkeep } from './createUpkeep.js';
import { checkDefinitions } from './indexDefinition.js';
import { addMarks } from './marks.js';
import { createMeilisearchEngine } from './meilisearch/meilisearchEngine.js';
import { createPostgresEngine } from './postgres/postgresEngine.js';
import { drainSearch } from './search.jobs.js';
import type { IndexDefinition } from './indexDefinition.js';
import type { EngineName, Search, SearchEngine } from './search.js';
import { countMarks } from './searchMetrics.js';

export interface SearchOptions {
  readonly config: Config;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly indexes: readonly IndexDefinition[];
  /** The context that index definitions are called with; it exists by then. */
  readonly context: () => Context;
}

/**
 * Search over the engines that are configured. PostgreSQL is always kept in step, so that it can answer alone;
 * Meilisearch, where it is configured, has marks of its own and delays nobody while it is away.
 */
export function openSearch(options: SearchOptions): { search: Search; close: () => Promise<void> } {
  const { config, db, log, indexes, context, metrics, outbox } = options;
  checkDefinitions(indexes);
  const postgres = createPostgresEngine(db);
  const meilisearch = config.meili ? createMeilisearchEngine(config.meili) : null;
  const engines: readonly SearchEngine[] = meilisearch ? [postgres, meilisearch] : [postgres];
  const clock = { now: () => context().clock.now() };
  const answering = meilisearch
    ? answerFromMeilisearch({ db, clock: () => clock, log, indexes, postgres, meilisearch })
    : answerFromPostgres(postgres);
  const upkeep = createUpkeep(
    { db, outbox, log, clock, indexes, indexNames: indexes.map(({ name }) => name), context },
    engines,
  );
  countMarks(metrics, db, clock, upkeep.engines);
  const search: Search = {
    upkeep,
    markDirty: createMarkDirty(options, upkeep.engines),
    health: () => answering.health(),
    query: (index, query) => answering.query(index, query),
    async page(index, query, load) {
      const { ids, totalCount } = await answering.query(index, query);
      const found = ids.length === 0 ? new Map() : await load(ids);
      const items = ids.flatMap((id) => (found.has(id) ? [found.get(id)] : []));
      return pageOf(query.page, totalCount - (ids.length - items.length), items);
    },
  };
  return { search, close: async () => answering.close() };
}

function createMarkDirty(options: SearchOptions, engines: readonly EngineName[]): Search['markDirty'] {
  /** Transactions that have asked for the drain already: one request is enough however many documents follow. */
  const asked = new WeakSet<Transaction>();
  return async (tx, entity, ids) => {
    const ctx = options.context();
    const changed = typeof ids === 'string' ? [ids] : ids;
    if (changed.length === 0) return;
    let marked = false;
    for (const index of options.indexes) {
      const documentIds = (await index.madeFrom[entity]?.(ctx, tx, changed)) ?? [];
      await addMarks(options.db, ctx.clock, tx, engines, index.name, documentIds);
      marked ||= documentIds.length > 0;
    }
    if (!marked || asked.has(tx)) return;
    await options.outbox.addMany(
      tx,
      drainSearch,
      engines.map((engine) => ({ payload: { engine } })),
    );
    asked.add(tx);
  };
}
