import CircuitBreaker from 'opossum';
import type { Clock } from '../clock.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../log.js';
import { readBuilds } from './builds.js';
import { signatureOf } from './indexDefinition.js';
import type { SearchIndex, SearchEngine, SearchHealth, SearchHits, SearchQuery } from './search.js';
import { parseText } from './words.js';

/** Which engine answers searches. */
export interface Answering {
  query(index: SearchIndex, query: SearchQuery): Promise<SearchHits>;
  health(): Promise<SearchHealth>;
  close(): void;
}

export interface AnsweringOptions {
  readonly db: Database;
  readonly clock: () => Clock;
  readonly log: Logger;
  readonly indexes: readonly SearchIndex[];
  readonly postgres: SearchEngine;
  readonly meilisearch: SearchEngine | null;
}

/** An engine that is further behind the rows than this is not asked. */
const maximumLagMs = 30_000;
/** How long what is known of the builds counts. */
const buildsKnownMs = 5_000;
const breakerOptions = { timeout: 3_000, errorThresholdPercentage: 50, volumeThreshold: 3, resetTimeout: 5_000 };

/** PostgreSQL answers whatever it is asked; nothing else is configured. */
export function answerFromPostgres(postgres: SearchEngine): Answering {
  return {
    query: (index, query) => postgres.search(index, query),
    async health() {
      const ok = await works(postgres);
      return { engine: 'postgres', ok, answering: 'postgres' };
    },
    close() {},
  };
}

/**
 * Meilisearch answers searches for words, while it can be reached, has the index as it is defined now, and is not far
 * behind. PostgreSQL, whose documents are always kept too, answers all others: lists without words need no more.
 */
export function answerFromMeilisearch(options: AnsweringOptions & { readonly meilisearch: SearchEngine }): Answering {
  const { postgres, meilisearch, log } = options;
  const breaker = new CircuitBreaker(
    (index: SearchIndex, query: SearchQuery) => meilisearch.search(index, query),
    breakerOptions,
  );
  breaker.on('open', () => log.warn('Meilisearch is not answering: searches are answered by PostgreSQL'));
  breaker.on('close', () => log.info('Meilisearch answers searches again'));
  const isUpToDate = createUpToDate(options);

  async function ask(index: SearchIndex, query: SearchQuery): Promise<SearchHits> {
    try {
      return await breaker.fire(index, query);
    } catch (error) {
      if (!breaker.opened)
        log.warn({ err: error, index: index.name }, 'a search failed in Meilisearch and is answered by PostgreSQL');
      return postgres.search(index, query);
    }
  }

  return {
    async query(index, query) {
      const byWords = parseText(query.text) !== null && !breaker.opened && (await isUpToDate(index));
      return byWords ? ask(index, query) : postgres.search(index, query);
    },
    async health() {
      const ok = await works(meilisearch);
      const upToDate = ok && !breaker.opened && (await Promise.all(options.indexes.map(isUpToDate))).every(Boolean);
      return { engine: 'meilisearch', ok, answering: upToDate ? 'meilisearch' : 'postgres' };
    },
    close: () => breaker.shutdown(),
  };
}

/** Whether Meilisearch holds an index as it is defined, and how far behind: read at most once in a few seconds. */
function createUpToDate({ db, clock, indexes }: AnsweringOptions): (index: SearchIndex) => Promise<boolean> {
  const signatures = new Map(indexes.map((index) => [index.name, signatureOf(index)]));
  let readAt = -Infinity;
  let known: Promise<ReadonlySet<string>> = Promise.resolve(new Set());

  async function read(now: number): Promise<ReadonlySet<string>> {
    const builds = await readBuilds(db, 'meilisearch');
    const good = builds.filter(
      ({ indexName, signature, oldestMark }) =>
        signature !== null &&
        signature === signatures.get(indexName) &&
        (!oldestMark || now - oldestMark.getTime() < maximumLagMs),
    );
    return new Set(good.map(({ indexName }) => indexName));
  }

  return async (index) => {
    const now = clock().now().getTime();
    if (now - readAt >= buildsKnownMs) {
      readAt = now;
      known = read(now);
      known.catch(() => (readAt = -Infinity));
    }
    return (await known).has(index.name);
  };
}

async function works(engine: SearchEngine): Promise<boolean> {
  try {
    await engine.check();
    return true;
  } catch {
    return false;
  }
}
