import type { Logger } from '../log.js';
import { outageOf } from '../outage.js';

interface RowsInOrder<Row> {
  /** The next rows behind `after` (undefined: the first ones), in a fixed order. None: the end. */
  readonly read: (after: Row | undefined) => Promise<readonly Row[]>;
  readonly work: (row: Row) => Promise<void>;
  /** Logged with the error of a row. */
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/**
 * Does the work of a sweep for each row. A row that fails is logged, and every other row has its work: however many rows fail each time,
 * they never take the place of others. Rejects where a server is away or a disk full, which says nothing about a row. Resolves with the number of rows whose work is done.
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
