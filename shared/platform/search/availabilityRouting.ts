import CircuitBreaker from 'opossum';
import type { Clock } from '../systemClock.js';
import type { SqlDatabase } from '../database/sql.js';
import type { Logger } from 'pino';
import { readBuilds } from './builds.js';
import { responds, searchWithChanges, type EngineRouting } from './engineRouting.js';
import { definitionSignature } from './indexDefinition.js';
import type { PostgresEngine } from './postgres/postgresEngine.js';
import type { SearchEngine, SearchHits, SearchIndex, SearchQuery } from './search.js';
import { parseQueryText } from './tokenizer.js';

export interface EngineRoutingOptions {
  readonly db: SqlDatabase;
  readonly clock: Clock;
  readonly log: Logger;
  readonly indexes: readonly SearchIndex[];
  readonly postgres: PostgresEngine;
  readonly meilisearch: SearchEngine;
  /** Whether an error belongs to an outage that is logged already. */
  readonly isLoggedOutage: (error: unknown) => boolean;
}

/** Meilisearch is not used for an index whose oldest dirty mark exceeds this age. */
const maxLagMs = 30_000;
/** The state of the builds is reread after this time. */
const buildsCachedMs = 5_000;
const breakerOptions = { timeout: 3_000, errorThresholdPercentage: 50, volumeThreshold: 3, resetTimeout: 5_000 };

/**
 * Searches with words use Meilisearch while it responds, was built from the current definition, and its lag is within the limit.
 * All other searches use PostgreSQL, which always has every document: lists and unranked searches need no relevance, and an
 * owner's search must find changes that Meilisearch has not written yet.
 */
export function routeByAvailability(options: EngineRoutingOptions): EngineRouting {
  const { postgres, meilisearch, log, isLoggedOutage } = options;
  const breaker = new CircuitBreaker((index: SearchIndex, query: SearchQuery) => meilisearch.search(index, query), {
    ...breakerOptions,
    errorFilter: isAbort,
  });
  let level: 'warn' | 'debug' = 'warn';
  breaker.on('failure', (error) => (level = isLoggedOutage(error) ? 'debug' : 'warn'));
  breaker.on('open', () => log[level]('Meilisearch does not respond, searches use PostgreSQL'));
  breaker.on('close', () => log[level === 'warn' ? 'info' : 'debug']('Meilisearch responds, searches use it again'));
  const isUpToDate = createUpToDate(options);

  async function searchWithFallback(index: SearchIndex, query: SearchQuery, reader?: SqlDatabase): Promise<SearchHits> {
    try {
      return await breaker.fire(index, query);
    } catch (error) {
      if (isAborted(query)) throw error;
      if (!breaker.opened) log.warn({ err: error, index: index.name }, 'Meilisearch search failed, using PostgreSQL');
      return postgres.search(index, query, undefined, reader);
    }
  }

  async function canUseMeilisearch(index: SearchIndex, query: SearchQuery): Promise<boolean> {
    const needsRelevance = parseQueryText(query.text) !== null && query.isRanked !== false;
    return needsRelevance && !breaker.opened && (await isUpToDate(index));
  }

  return {
    async query(index, query, reader) {
      return (await canUseMeilisearch(index, query))
        ? searchWithFallback(index, query, reader)
        : postgres.search(index, query, undefined, reader);
    },
    async ownQuery(index, query, changes) {
      const hasAllChanges =
        (await canUseMeilisearch(index, query)) && (await changes.marked('meilisearch')).length === 0;
      return hasAllChanges ? searchWithFallback(index, query) : searchWithChanges(postgres, index, query, changes);
    },
    async health() {
      const ok = await responds(meilisearch);
      const isActive = ok && !breaker.opened && (await Promise.all(options.indexes.map(isUpToDate))).every(Boolean);
      return { engine: 'meilisearch', ok, active: isActive ? 'meilisearch' : 'postgres' };
    },
    close: () => breaker.shutdown(),
  };
}

/**
 * Whether Meilisearch has an index that was built from the current definition and whose lag is within the limit. Cached for some
 * seconds.
 */
function createUpToDate({ db, clock, indexes }: EngineRoutingOptions): (index: SearchIndex) => Promise<boolean> {
  const signatures = new Map(indexes.map((index) => [index.name, definitionSignature(index)]));
  let readAt = -Infinity;
  let upToDate: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  async function read(now: number): Promise<ReadonlySet<string>> {
    const builds = await readBuilds(db, 'meilisearch');
    const usable = builds.filter(
      ({ indexName, signature, oldestMark }) =>
        signature !== null &&
        signature === signatures.get(indexName) &&
        (!oldestMark || now - oldestMark.getTime() < maxLagMs),
    );
    return new Set(usable.map(({ indexName }) => indexName));
  }

  return async (index) => {
    const now = clock.now().getTime();
    if (now - readAt >= buildsCachedMs) {
      readAt = now;
      upToDate = read(now);
      upToDate.catch(() => (readAt = -Infinity));
    }
    return (await upToDate).has(index.name);
  };
}

/** Whether a search was cancelled because its caller disconnected, which does not count as a failure of the server. */
const isAbort = ((_error: unknown, _index: SearchIndex, query: SearchQuery) => isAborted(query)) as (
  error: unknown,
) => boolean;

function isAborted({ page: { signal } }: SearchQuery): boolean {
  return signal?.aborted === true;
}
