import type { Clock } from './clock.js';
import type { Database } from './db.js';
import type { Logger } from './log.js';
import type { Metrics } from './metrics.js';
import type { Outbox } from './outbox.js';
import type { Queues } from './queue.js';

export interface OpenOutbox extends Outbox {
  /** Publishes what committed rows are waiting; resolves with how many. */
  publish(limit?: number): Promise<number>;
  close(): Promise<void>;
}

export function createOutbox(_options: { db: Database; queues: Queues; clock: Clock; log: Logger; metrics: Metrics }): OpenOutbox {
  throw new Error('to be built');
}
