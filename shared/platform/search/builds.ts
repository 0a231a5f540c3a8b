import type { Database, Transaction } from '../database/database.js';
import type { EngineName } from './search.js';

/** An index of an engine that answers: which definition it was built from, and how long its oldest mark waits. */
export interface Build {
  readonly indexName: string;
  readonly signature: string | null;
  readonly oldestMark: Date | null;
}

/** How long a rebuild that shows no life keeps others out. */
const rebuildLeaseMs = 10 * 60_000;

export async function readBuilds(db: Database, engine: EngineName): Promise<Build[]> {
  return db.rows<Build>(
    `SELECT build.index_name, build.signature,
            (SELECT min(marked_at) FROM search_dirty WHERE engine = $engine AND index_name = build.index_name) AS oldest_mark
     FROM search_builds build WHERE build.engine = $engine`,
    { engine },
  );
}

export async function recordBuild(
  db: Database,
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

/** An engine that is not kept in step any more has no build that counts. */
export async function forgetBuilds(db: Database, engine: EngineName): Promise<void> {
  await db.change('UPDATE search_builds SET signature = NULL WHERE engine = $engine AND signature IS NOT NULL', {
    engine,
  });
}

/** Begins a rebuild; false where another one shows life. */
export async function beginRebuild(
  db: Database,
  engine: EngineName,
  indexName: string,
  rebuildId: string,
  now: Date,
): Promise<boolean> {
  const changed = await db.change(
    `INSERT INTO search_builds AS present (engine, index_name, rebuild_id, rebuilding_until)
     VALUES ($engine, $indexName, $rebuildId::uuid, $until::timestamptz)
     ON CONFLICT (engine, index_name) DO UPDATE SET rebuild_id = excluded.rebuild_id, rebuilding_until = excluded.rebuilding_until
     WHERE present.rebuilding_until IS NULL OR present.rebuilding_until < $now::timestamptz`,
    { engine, indexName, rebuildId, now: now.toISOString(), until: leaseFrom(now) },
  );
  return changed > 0;
}

/** Shows life; throws where another rebuild has taken over. */
export async function renewRebuild(db: Database, rebuildId: string, now: Date): Promise<void> {
  const changed = await db.change(
    'UPDATE search_builds SET rebuilding_until = $until::timestamptz WHERE rebuild_id = $rebuildId::uuid',
    {
      rebuildId,
      until: leaseFrom(now),
    },
  );
  if (changed === 0) throw new Error('another rebuild has taken over');
}

export async function endRebuild(db: Database, rebuildId: string, tx?: Transaction): Promise<void> {
  await db.change(
    'UPDATE search_builds SET rebuild_id = NULL, rebuilding_until = NULL WHERE rebuild_id = $rebuildId::uuid',
    { rebuildId },
    tx,
  );
}

/** Rebuilds that have shown no life for the length of their lease. */
export async function deadRebuilds(
  db: Database,
  engine: EngineName,
  now: Date,
): Promise<{ indexName: string; rebuildId: string }[]> {
  return db.rows(
    `SELECT index_name, rebuild_id FROM search_builds
     WHERE engine = $engine AND rebuilding_until < $now::timestamptz`,
    { engine, now: now.toISOString() },
  );
}

function leaseFrom(now: Date): string {
  return new Date(now.getTime() + rebuildLeaseMs).toISOString();
}
