import type { Database } from './database.js';

/*
 * Public reads may be answered by a streaming replica. A caller never reads an older state than his own last write: each request
 * that may change something records how far the write-ahead log was after it, in a row of the primary, which all web processes
 * read. Until the replica has replayed up to there, the reads of this caller run on the primary.
 */

/** The replica of the database. */
export interface Replica {
  /** Reads from the replica. What cannot run there runs on the primary, and so does every transaction. */
  readonly db: Database;
  /** Whether the replica has every write of this caller, and is no further behind than permitted. */
  hasWritesOf(caller: string): Promise<boolean>;
  /** To be called after each request of the caller that may have changed something, before its response. Never rejects. */
  recordWrite(caller: string): Promise<void>;
  /** Seconds that the replica is behind, at most; Infinity where this is not known. */
  lagSeconds(): number;
  close(): Promise<void>;
}
