import type { Logger } from '../log.js';
import { outageOf } from '../outage.js';

interface RowsInOrder<Row> {
  /** The next rows after `after` (undefined: from the start), in a fixed order. Empty at the end. */
  readonly read: (after: Row | undefined) => Promise<readonly Row[]>;
  readonly work: (row: Row) => Promise<void>;
  /** Logged with the error of a row. */
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Runs the work of a sweep for each row. The error of a row is logged and the sweep continues, so that failing rows never prevent
 * the work of others. Rejects if a server is unreachable or a disk full, which is no fault of the row. Resolves with the number
 * of processed rows.
 */
export async function eachRow<Row>({ read, work, log, signal }: RowsInOrder<Row>): Promise<number> {
  let done = 0;
  for (let rows = await read(undefined); rows.length > 0; rows = await read(rows.at(-1))) {
    for (const row of rows) {
      if (signal.aborted) return done;
      try {
        await work(row);
        done += 1;
      } catch (error) {
        if (outageOf(error) !== null) throw error;
        log.warn({ err: error, row }, 'row not swept');
      }
    }
  }
  return done;
}
