import { systemClock } from './platform/systemClock.js';
import type { Config } from './platform/config.js';
import type { ProcessContext } from './platform/processContext.js';
import { reportConflicts } from './platform/database/conflicts.js';
import { openDatabase, statementTimeoutMsOf } from './platform/database/openDatabase.js';
import { createLogger } from './platform/createLogger.js';
import type { OutageReceiver } from './platform/log.js';
import { checkDatabase } from './platform/readiness/dependencyChecks.js';
import { createReadiness } from './platform/readiness/createReadiness.js';
import { openInOrder, type Closable } from './platform/openInOrder.js';
import { createOutboxWriter } from './platform/queue/index.js';

/** The context of a clock process. */
export interface ClockContext
  extends Pick<ProcessContext, 'config' | 'log' | 'clock' | 'db' | 'outbox' | 'readiness'>, Closable {}

/**
 * Opens the context without waiting for the database. A clock writes jobs to the outbox once a minute; workers publish them
 * within a second. A clock process therefore loads no queues, no search and no domain, and needs little memory.
 */
export function openClockContext(config: Config): Promise<ClockContext> {
  return openInOrder(async (onClose) => {
    const { url, poolSize } = config.database;
    const outages: OutageReceiver = {};
    const log = createLogger({ process: config.process, level: config.logLevel, outages });
    const db = openDatabase({
      ...{ url, poolSize, models: [], statementTimeoutMs: statementTimeoutMsOf(config) },
      onConflict: reportConflicts(log),
    });
    onClose(() => db.close());
    const readiness = createReadiness(log, { database: checkDatabase(db) }, outages);
    onClose(() => readiness.close());
    const clock = systemClock;
    return { config, clock, db, log, readiness, outbox: createOutboxWriter({ db, clock, tracing: null }) };
  });
}
