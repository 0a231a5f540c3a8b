import { systemClock } from './platform/clock.js';
import type { Config } from './platform/config.js';
import type { Context } from './platform/context.js';
import { openDatabase, statementTimeoutMsOf } from './platform/database/database.js';
import { createLogger } from './platform/log.js';
import { createOutboxWriter } from './platform/outbox/outbox.js';

/** What a clock process uses. */
export interface ClockContext extends Pick<Context, 'config' | 'log' | 'clock' | 'db' | 'outbox'> {
  close(): Promise<void>;
}

/**
 * Opens it, without waiting for the database. A clock writes jobs to the outbox once a minute; workers publish them within a
 * second. So it loads no queues, no search and no domain, and takes little memory.
 */
export async function openClockContext(config: Config): Promise<ClockContext> {
  const { url, poolSize } = config.database;
  const db = openDatabase({ url, poolSize, models: [], statementTimeoutMs: statementTimeoutMsOf(config) });
  const clock = systemClock;
  return {
    ...{ config, clock, db },
    log: createLogger({ process: config.process, level: config.logLevel }),
    outbox: createOutboxWriter({ db, clock }),
    close: () => db.close(),
  };
}
