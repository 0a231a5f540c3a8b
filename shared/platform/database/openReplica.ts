import type { Replica } from './replica.js';
import type { Logger } from '../log.js';
import type { Database } from './database.js';
import { conflictOf, isDatabaseUnreachable, isSchemaOutdated, isWriteRejected } from './databaseErrors.js';
import { bytesUpTo, ReplicaServer } from './replicaServer.js';
import { statementsOn } from './statementsOn.js';

interface ReplicaOptions {
  readonly primary: Database;
  readonly replica: Database;
  readonly maxLagSeconds: number;
  readonly log: Logger;
  /** Called for each call of `hasWritesOf`, with the selected server. */
  readonly onChoice?: (server: 'replica' | 'primary') => void;
}

/** Reads from `replica`, which follows `primary`. Neither server need be reachable. */
export function openReplica({ primary, replica, maxLagSeconds, log, onChoice }: ReplicaOptions): Replica {
  const server = new ReplicaServer(replica, log);
  return {
    db: { ...primary, ...readStatements(primary, replica, server) },
    async hasWritesOf(caller) {
      const isUsable = !server.isUnreachable() && (await server.has(await lastWrite(primary, caller), maxLagSeconds));
      onChoice?.(isUsable ? 'replica' : 'primary');
      return isUsable;
    },
    async recordWrite(caller) {
      const recording = primary.change(
        `INSERT INTO caller_writes (caller, wal_position, written_at)
         VALUES ($caller, ${bytesUpTo('pg_current_wal_insert_lsn()')}, now())
         ON CONFLICT (caller) DO UPDATE SET wal_position = excluded.wal_position, written_at = excluded.written_at`,
        { caller },
      );
      await recording.catch((err: unknown) => log.warn({ err }, 'write position not recorded'));
    },
    lagSeconds: () => server.lagSeconds(),
    close: () => replica.close(),
  };
}

/** The current position of the log, and the position after the last write of the caller. */
async function lastWrite(
  primary: Database,
  caller: string,
): Promise<{ written: number; position: number; at: number }> {
  const at = performance.now();
  const [row] = await primary.prepared<{ written: number; position: number }>(
    `SELECT coalesce((SELECT wal_position FROM caller_writes WHERE caller = $caller), 0) AS written,
            ${bytesUpTo('pg_current_wal_insert_lsn()')} AS position`,
    { caller },
  );
  return { at, written: row?.written ?? Infinity, position: row?.position ?? Infinity };
}

/** Statements that the replica cannot run (unreachable, behind a migration, in conflict with replay) run on the primary. */
function readStatements(primary: Database, replica: Database, server: ReplicaServer): ReturnType<typeof statementsOn> {
  async function read<Result>(work: (db: Database) => Promise<Result>): Promise<Result> {
    if (server.isUnreachable()) return work(primary);
    try {
      return await work(replica);
    } catch (error) {
      if (isDatabaseUnreachable(error)) server.leave(error);
      else if (!conflictOf(error) && !isWriteRejected(error) && !isSchemaOutdated(error)) throw error;
      return work(primary);
    }
  }
  return statementsOn(
    (sql, bind, tx, bounds) =>
      tx ? primary.run(sql, bind, tx, bounds) : read((db) => db.run(sql, bind, undefined, bounds)),
    (sql, bind) => read((db) => db.runPrepared(sql, bind)),
  );
}
