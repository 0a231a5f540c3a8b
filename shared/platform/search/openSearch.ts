import type { Clock } from '../systemClock.js';
import type { Config } from '../config.js';
import type { Context } from '../context.js';
import type { Database, Transaction } from '../database/database.js';
import { pageOf, type Page } from '../formats/page.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Outbox } from '../outbox/outbox.js';
import { addMarks } from './dirtyMarks.js';
import type { EngineRoutingOptions } from './availabilityRouting.js';
import { routeToPostgres, type EngineRouting } from './engineRouting.js';
import { checkDefinitions, type IndexDefinition } from './indexDefinition.js';
import { createMaintenance } from './maintenance.js';
import { createPostgresEngine } from './postgres/postgresEngine.js';
import { drainSearch } from './search.jobs.js';
import type { EngineName, Search, SearchEngine, SearchHits, SearchQuery } from './search.js';
import { registerSearchMetrics } from './searchMetrics.js';

export interface SearchOptions {
  readonly config: Config;
  readonly db: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly indexes: readonly IndexDefinition[];
  /** The context that index definitions are called with. A function, because the context is made after its search. */
  readonly context: () => Context;
}

/**
 * Search over the configured engines. PostgreSQL is always kept up to date. Meilisearch, where it is configured, has
 * its own dirty marks, so that writes and PostgreSQL do not wait for it while it is down.
 */
export async function openSearch(options: SearchOptions): Promise<{ search: Search; close: () => Promise<void> }> {
  const { config, db, clock, log, indexes, context, metrics, outbox } = options;
  checkDefinitions(indexes);
  const postgres = createPostgresEngine(db, {
    log,
    concurrentSearches: Math.max(1, Math.floor(config.database.poolSize / 2)),
  });
  const meilisearch = config.meili ? await openMeilisearch(config.meili) : null;
  const engines: readonly SearchEngine[] = meilisearch ? [postgres, meilisearch.engine] : [postgres];
  const maintenance = createMaintenance(
    { db, outbox, log, clock, indexes, indexNames: indexes.map(({ name }) => name), context },
    engines,
  );
  registerSearchMetrics(metrics, db, clock, maintenance.engines);
  // The last that can fail: it is what `close` ends.
  const routing = meilisearch ? meilisearch.route({ db, clock, log, indexes, postgres }) : routeToPostgres(postgres);
  const searchOn = (reader?: Database): Search => ({
    maintenance,
    readingFrom: searchOn,
    markDirty: createMarkDirty(options, maintenance.engines),
    health: () => routing.health(),
    query: (index, query) => routing.query(index, query, reader),
    async page(index, query, load) {
      return loadPage(query, await routing.query(index, query, reader), load);
    },
    async ownPage(index, ownerId, query, load) {
      const definition = indexes.find(({ name }) => name === index.name);
      if (!definition?.owner) throw new Error(`the documents of index ${index.name} have no owner`);
      const filters = { ...query.filters, [definition.owner.member]: { equal: ownerId } };
      const hits = await routing.ownQuery(
        index,
        { ...query, filters },
        {
          marked: (engine) => postgres.ownMarks(engine, definition, ownerId),
          read: async (ids) => ({ ids, documents: await definition.document(context(), ids) }),
        },
      );
      return loadPage(query, hits, load);
    },
  });
  return { search: searchOn(), close: async () => routing.close() };
}

/** Its client is loaded only where it is configured. */
async function openMeilisearch(settings: NonNullable<Config['meili']>) {
  const [{ createMeilisearchEngine }, { routeByAvailability }] = await Promise.all([
    import('./meilisearch/meilisearchEngine.js'),
    import('./availabilityRouting.js'),
  ]);
  const engine = createMeilisearchEngine(settings);
  return {
    engine,
    route: (options: Omit<EngineRoutingOptions, 'meilisearch'>): EngineRouting =>
      routeByAvailability({ ...options, meilisearch: engine }),
  };
}

async function loadPage<Item>(
  { page }: SearchQuery,
  { ids, totalCount }: SearchHits,
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Item>>,
): Promise<Page<Item>> {
  const loaded: ReadonlyMap<string, Item> = ids.length === 0 ? new Map() : await load(ids);
  const items = ids.flatMap((id) => {
    const item = loaded.get(id);
    return item === undefined ? [] : [item];
  });
  return pageOf(page, totalCount - (ids.length - items.length), items);
}

function createMarkDirty(
  { db, clock, outbox, indexes, context }: SearchOptions,
  engines: readonly EngineName[],
): Search['markDirty'] {
  /** Transactions that have added the drain job: one is enough for all marks of a transaction. */
  const withDrainJob = new WeakSet<Transaction>();
  return async (tx, entity, ids) => {
    const changed = typeof ids === 'string' ? [ids] : ids;
    if (changed.length === 0) return;
    let marked = false;
    for (const index of indexes) {
      const documentIds = (await index.madeFrom[entity]?.(context(), tx, changed)) ?? [];
      await addMarks(db, clock, tx, engines, index.name, documentIds);
      marked ||= documentIds.length > 0;
    }
    if (!marked || withDrainJob.has(tx)) return;
    await outbox.addMany(
      tx,
      drainSearch,
      engines.map((engine) => ({ payload: { engine } })),
    );
    withDrainJob.add(tx);
  };
}
