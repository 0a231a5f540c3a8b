import type { SqlDatabase, Transaction } from '../database/sql.js';
import { lease } from '../lease/index.js';
import type { EngineName } from './search.js';

/** Until it expires, no other rebuild of the same index in the same engine starts. */
export const rebuildLeaseSeconds = 600;

/** Takes the lease of a rebuild; false if another rebuild holds it. */
export async function takeRebuild(
  db: SqlDatabase,
  rebuild: { readonly engine: EngineName; readonly indexName: string; readonly leaseOwner: string },
): Promise<boolean> {
  const changed = await db.change(
    `INSERT INTO search_builds AS present (engine, index_name, lease_owner, lease_until)
     VALUES ($engine, $indexName, $leaseOwner, ${lease.end})
     ON CONFLICT (engine, index_name) DO UPDATE SET ${lease.taken}
     WHERE present.lease_until IS NULL OR present.${lease.ended}`,
    { ...rebuild, leaseSeconds: rebuildLeaseSeconds },
  );
  return changed > 0;
}

/** False if another rebuild has taken the lease. */
export async function renewRebuild(db: SqlDatabase, leaseOwner: string): Promise<boolean> {
  const changed = await db.change(`UPDATE search_builds SET ${lease.renewed} WHERE ${lease.held}`, {
    leaseOwner,
    leaseSeconds: rebuildLeaseSeconds,
  });
  return changed > 0;
}

export async function endRebuild(db: SqlDatabase, leaseOwner: string, tx: Transaction): Promise<void> {
  await db.change(`UPDATE search_builds SET ${lease.released} WHERE ${lease.held}`, { leaseOwner }, tx);
}

/** Rebuilds whose lease has expired: their process has died or was disconnected from the database for too long. */
export async function expiredRebuilds(
  db: SqlDatabase,
  engine: EngineName,
): Promise<{ indexName: string; leaseOwner: string }[]> {
  return db.rows(`SELECT index_name, lease_owner FROM search_builds WHERE engine = $engine AND ${lease.ended}`, {
    engine,
  });
}
