import type { SqlDatabase, Transaction } from '../database/sql.js';
import type { EngineName } from './search.js';

/** An index in an engine: the signature of the definition it was built from, and the time of its oldest dirty mark. */
export interface Build {
  readonly indexName: string;
  readonly signature: string | null;
  readonly oldestMark: Date | null;
}

export async function readBuilds(db: SqlDatabase, engine: EngineName): Promise<Build[]> {
  return db.rows<Build>(
    `SELECT build.index_name, build.signature,
            (SELECT min(marked_at) FROM search_marks WHERE engine = $engine AND index_name = build.index_name) AS oldest_mark
     FROM search_builds build WHERE build.engine = $engine`,
    { engine },
  );
}

/** Records that an index of an engine is complete. */
export async function recordBuild(
  db: SqlDatabase,
  engine: EngineName,
  indexName: string,
  signature: string,
  tx?: Transaction,
): Promise<void> {
  await db.change(
    `INSERT INTO search_builds (engine, index_name, signature) VALUES ($engine, $indexName, $signature)
     ON CONFLICT (engine, index_name) DO UPDATE SET signature = excluded.signature`,
    { engine, indexName, signature },
    tx,
  );
}

/** For an engine that is no longer updated: all its indexes are rebuilt if it is used again. */
export async function clearBuilds(db: SqlDatabase, engine: EngineName): Promise<void> {
  await db.change('UPDATE search_builds SET signature = NULL WHERE engine = $engine AND signature IS NOT NULL', {
    engine,
  });
}
