import type { Clock } from '../systemClock.js';
import type { Registry } from 'prom-client';
import type { SqlDatabase, Transaction } from '../database/sql.js';
import { pageOf, type Page } from '../formats/page.js';
import type { Logger } from 'pino';
import type { Outbox } from '../queue/index.js';
import { addMarks } from './dirtyMarks.js';
import type { EngineRoutingOptions } from './availabilityRouting.js';
import { routeToPostgres, type EngineRouting } from './engineRouting.js';
import { bindIndex, checkDefinitions, type BoundIndex, type IndexDefinition } from './indexDefinition.js';
import { createMaintenance } from './maintenance.js';
import type { MeilisearchOptions } from './meilisearch/meilisearchEngine.js';
import { createPostgresEngine, type SearchSlots } from './postgres/postgresEngine.js';
import { drainSearch } from './search.jobs.js';
import type { EngineName, Search, SearchEngine, SearchHits, SearchQuery } from './search.js';

export interface SearchOptions<Ctx> {
  readonly db: SqlDatabase;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: { readonly registry: Registry };
  readonly indexes: readonly IndexDefinition<Ctx>[];
  /** The context for index definitions; a function, because the context is created after its search. */
  readonly context: () => Ctx;
  readonly slots: SearchSlots;
  /** Null: PostgreSQL is the only engine. */
  readonly meilisearch: MeilisearchOptions | null;
  /** Whether a Meilisearch error belongs to an outage that is logged already. */
  readonly isLoggedOutage: (error: unknown) => boolean;
}

/**
 * Search with the configured engines. PostgreSQL is always kept up to date. Meilisearch, if configured, has its own dirty marks,
 * so that a Meilisearch outage delays neither writes nor PostgreSQL.
 */
export async function openSearch<Ctx>(
  options: SearchOptions<Ctx>,
): Promise<{ search: Search; close: () => Promise<void> }> {
  const { db, clock, log, metrics, outbox, isLoggedOutage } = options;
  checkDefinitions(options.indexes);
  const indexes = options.indexes.map((index) => bindIndex(index, options.context));
  const postgres = createPostgresEngine(db, { log, slots: options.slots });
  const meilisearch = options.meilisearch ? await openMeilisearch(options.meilisearch) : null;
  const engines: readonly SearchEngine[] = meilisearch ? [postgres, meilisearch.engine] : [postgres];
  const maintenance = createMaintenance(
    { db, outbox, log, clock, indexes, indexNames: indexes.map(({ name }) => name) },
    engines,
  );
  const { registerSearchMetrics } = await import('./searchMetrics.js');
  registerSearchMetrics(metrics.registry, db, clock, maintenance.engines);
  // The last step that can fail, because `close` only ends this part.
  const routing = meilisearch
    ? meilisearch.route({ db, clock, log, indexes, postgres, isLoggedOutage })
    : routeToPostgres(postgres);
  const searchOn = (reader?: SqlDatabase): Search => ({
    maintenance,
    readingFrom: searchOn,
    markDirty: createMarkDirty({ db, clock, outbox, indexes }, maintenance.engines),
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
          read: async (ids) => ({ ids, documents: await definition.document(ids) }),
        },
      );
      return loadPage(query, hits, load);
    },
  });
  return { search: searchOn(), close: async () => routing.close() };
}

/** The Meilisearch client is loaded only if it is configured. */
async function openMeilisearch(settings: MeilisearchOptions) {
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
  {
    db,
    clock,
    outbox,
    indexes,
  }: Pick<SearchOptions<never>, 'db' | 'clock' | 'outbox'> & {
    readonly indexes: readonly BoundIndex[];
  },
  engines: readonly EngineName[],
): Search['markDirty'] {
  /** Transactions that have already added the drain job: one job is enough for all marks of a transaction. */
  const withDrainJob = new WeakSet<Transaction>();
  return async (tx, entity, ids) => {
    const changed = typeof ids === 'string' ? [ids] : ids;
    if (changed.length === 0) return;
    let marked = false;
    for (const index of indexes) {
      const documentIds = (await index.madeFrom[entity]?.(tx, changed)) ?? [];
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
