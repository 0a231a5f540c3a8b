import type { Database, Transaction } from '../database/database.js';
import type { Logger } from '../log.js';
import type { EngineName } from './search.js';

/** While it lasts, by the database's clock, no other rebuild of the same index in the same engine starts. */
const leaseMs = 10 * 60_000;
const leaseEnd = `now() + ${leaseMs} * interval '1 millisecond'`;

/** The lease of a rebuild in this process. */
export interface RebuildLease {
  /** Throws where another rebuild has taken over. */
  renew(): Promise<void>;
  /** Ends the renewals; the row stays until `endRebuild`. */
  stop(): void;
}

/** Acquires the lease of a rebuild; false where another rebuild holds it. */
export async function beginRebuild(
  db: Database,
  engine: EngineName,
  indexName: string,
  rebuildId: string,
): Promise<boolean> {
  const changed = await db.change(
    `INSERT INTO search_builds AS present (engine, index_name, rebuild_id, rebuilding_until)
     VALUES ($engine, $indexName, $rebuildId::uuid, ${leaseEnd})
     ON CONFLICT (engine, index_name) DO UPDATE SET rebuild_id = excluded.rebuild_id, rebuilding_until = excluded.rebuilding_until
     WHERE present.rebuilding_until IS NULL OR present.rebuilding_until < now()`,
    { engine, indexName, rebuildId },
  );
  return changed > 0;
}

/** Renews the lease at a third of its length, until `stop`. A renewal that fails is repeated at the next third. */
export function keepLease(db: Database, log: Logger, rebuildId: string): RebuildLease {
  const renew = async (): Promise<void> => {
    const changed = await db.change(
      `UPDATE search_builds SET rebuilding_until = ${leaseEnd} WHERE rebuild_id = $rebuildId::uuid`,
      { rebuildId },
    );
    if (changed === 0) throw new Error('another rebuild has taken over');
  };
  const timer = setInterval(() => {
    renew().catch((error: unknown) => log.warn({ err: error, rebuildId }, 'search rebuild lease not renewed'));
  }, leaseMs / 3);
  return { renew, stop: () => clearInterval(timer) };
}

export async function endRebuild(db: Database, rebuildId: string, tx?: Transaction): Promise<void> {
  await db.change(
    'UPDATE search_builds SET rebuild_id = NULL, rebuilding_until = NULL WHERE rebuild_id = $rebuildId::uuid',
    { rebuildId },
    tx,
  );
}

/** Rebuilds whose lease has expired: their process has died, or lost the database for too long. */
export async function expiredRebuilds(
  db: Database,
  engine: EngineName,
): Promise<{ indexName: string; rebuildId: string }[]> {
  return db.rows(
    'SELECT index_name, rebuild_id FROM search_builds WHERE engine = $engine AND rebuilding_until < now()',
    { engine },
  );
}
