import CircuitBreaker from 'opossum';
import type { Clock } from '../clock.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../log.js';
import { readBuilds } from './builds.js';
import { signatureOf } from './indexDefinition.js';
import type { SearchEngine, SearchHealth, SearchHits, SearchIndex, SearchQuery } from './search.js';
import { parseQueryText } from './tokenizer.js';

/** Sends each search to one of the engines. */
export interface EngineRouting {
  query(index: SearchIndex, query: SearchQuery): Promise<SearchHits>;
  health(): Promise<SearchHealth>;
  close(): void;
}

export interface EngineRoutingOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly indexes: readonly SearchIndex[];
  readonly postgres: SearchEngine;
  readonly meilisearch: SearchEngine;
}

/** Meilisearch is not used for an index whose oldest dirty mark is older than this. */
const maximumLagMs = 30_000;
/** The state of the builds is read again after this. */
const buildsCachedMs = 5_000;
const breakerOptions = { timeout: 3_000, errorThresholdPercentage: 50, volumeThreshold: 3, resetTimeout: 5_000 };

/** All searches go to PostgreSQL: no other engine is configured. */
export function routeToPostgres(postgres: SearchEngine): EngineRouting {
  return {
    query: (index, query) => postgres.search(index, query),
    async health() {
      const ok = await responds(postgres);
      return { engine: 'postgres', ok, active: 'postgres' };
    },
    close() {},
  };
}

/**
 * Searches with words go to Meilisearch while it responds, was built from the present definition, and is not too far
 * behind. All others go to PostgreSQL, which always has every document: lists without words need no ranking.
 */
export function routeByAvailability(options: EngineRoutingOptions): EngineRouting {
  const { postgres, meilisearch, log } = options;
  const breaker = new CircuitBreaker(
    (index: SearchIndex, query: SearchQuery) => meilisearch.search(index, query),
    breakerOptions,
  );
  breaker.on('open', () => log.warn('Meilisearch does not respond: searches use PostgreSQL'));
  breaker.on('close', () => log.info('Meilisearch responds: searches use it again'));
  const isUpToDate = createUpToDate(options);

  async function searchWithFallback(index: SearchIndex, query: SearchQuery): Promise<SearchHits> {
    try {
      return await breaker.fire(index, query);
    } catch (error) {
      if (!breaker.opened) log.warn({ err: error, index: index.name }, 'Meilisearch search failed: PostgreSQL is used');
      return postgres.search(index, query);
    }
  }

  return {
    async query(index, query) {
      const useMeilisearch = parseQueryText(query.text) !== null && !breaker.opened && (await isUpToDate(index));
      return useMeilisearch ? searchWithFallback(index, query) : postgres.search(index, query);
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
 * Whether Meilisearch has an index built from the present definition and not too far behind. Cached for some seconds.
 */
function createUpToDate({ db, clock, indexes }: EngineRoutingOptions): (index: SearchIndex) => Promise<boolean> {
  const signatures = new Map(indexes.map((index) => [index.name, signatureOf(index)]));
  let readAt = -Infinity;
  let upToDate: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  async function read(now: number): Promise<ReadonlySet<string>> {
    const builds = await readBuilds(db, 'meilisearch');
    const usable = builds.filter(
      ({ indexName, signature, oldestMark }) =>
        signature !== null &&
        signature === signatures.get(indexName) &&
        (!oldestMark || now - oldestMark.getTime() < maximumLagMs),
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

async function responds(engine: SearchEngine): Promise<boolean> {
  try {
    await engine.check();
    return true;
  } catch {
    return false;
  }
}
