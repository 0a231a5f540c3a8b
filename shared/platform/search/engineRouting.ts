import type { SqlDatabase } from '../database/sql.js';
import type { PostgresEngine } from './postgres/postgresEngine.js';
import type { ChangedDocuments, SearchEngine, SearchHealth, SearchHits, SearchIndex, SearchQuery } from './search.js';

/** The documents of an owner that an engine has not written yet. */
export interface OwnChanges {
  /** Their ids. */
  marked(engine: SearchEngine['name']): Promise<readonly string[]>;
  /** The documents of these ids, from the current rows. */
  read(ids: readonly string[]): Promise<ChangedDocuments>;
}

/** Routes each search to one of the engines. */
export interface EngineRouting {
  /** `reader`: a database that PostgreSQL searches read from instead of the engine's own. */
  query(index: SearchIndex, query: SearchQuery, reader?: SqlDatabase): Promise<SearchHits>;
  /** Searches the documents of one owner, including all these changes. */
  ownQuery(index: SearchIndex, query: SearchQuery, changes: OwnChanges): Promise<SearchHits>;
  health(): Promise<SearchHealth>;
  close(): void;
}

/** All searches go to PostgreSQL: no other engine is configured. */
export function routeToPostgres(postgres: PostgresEngine): EngineRouting {
  return {
    query: (index, query, reader) => postgres.search(index, query, undefined, reader),
    ownQuery: (index, query, changes) => searchWithChanges(postgres, index, query, changes),
    async health() {
      const ok = await responds(postgres);
      return { engine: 'postgres', ok, active: 'postgres' };
    },
    close() {},
  };
}

/** Searches in PostgreSQL and reads changed documents from their rows, without waiting for a drain. */
export async function searchWithChanges(
  postgres: SearchEngine,
  index: SearchIndex,
  query: SearchQuery,
  changes: OwnChanges,
): Promise<SearchHits> {
  const ids = await changes.marked('postgres');
  return postgres.search(index, query, ids.length === 0 ? undefined : await changes.read(ids));
}

/** Whether an engine responds. */
export async function responds(engine: SearchEngine): Promise<boolean> {
  try {
    await engine.check();
    return true;
  } catch {
    return false;
  }
}
