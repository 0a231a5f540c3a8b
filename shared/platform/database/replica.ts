import type { Database } from './database.js';

/*
 * Public reads may be answered by a streaming replica. A caller always reads his own writes: each request that may have written
 * records the position of the write-ahead log in a row of the primary, which all web processes read. Until the replica has
 * replayed up to that position, the reads of this caller run on the primary.
 */

/** The replica of the database. */
export interface Replica {
  /** Reads from the replica. Statements that cannot run there, and all transactions, run on the primary. */
  readonly db: Database;
  /** Whether the replica has every write of this caller, and its lag is within the limit. */
  hasWritesOf(caller: string): Promise<boolean>;
  /** Must be called after each request of the caller that may have written, before its response. Never rejects. */
  recordWrite(caller: string): Promise<void>;
  /** Upper bound of the replica's lag in seconds; Infinity if unknown. */
  lagSeconds(): number;
  close(): Promise<void>;
}
