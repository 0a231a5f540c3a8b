import type { Clock } from '../systemClock.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../log.js';
import type { Metrics } from '../metrics.js';
import type { Queues } from '../queue/queue.js';
import type { Tracing } from '../tracing/tracing.js';
import { registerBacklogMetrics } from './backlogMetrics.js';
import { createOutboxWriter } from './outboxWriter.js';
import type { Outbox } from './outbox.js';
import { createPublisher, type OutboxPublisher } from './outboxPublisher.js';

export type OpenOutbox = Outbox & Omit<OutboxPublisher, 'wake'>;

/** Opens the outbox of a process that publishes what it commits, and registers its metrics. */
export function createOutbox(options: {
  db: Database;
  queues: Queues;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  tracing: Tracing | null;
}): OpenOutbox {
  const { db, queues, clock, metrics } = options;
  registerBacklogMetrics(metrics, db, queues, clock);
  const { wake, ...publisher } = createPublisher(options);
  return { ...createOutboxWriter(options, wake), ...publisher };
}
