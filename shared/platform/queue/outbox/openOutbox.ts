import type { Clock } from '../../systemClock.js';
import type { SqlDatabase } from '../../database/sql.js';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Queues } from '../queue.js';
import { createOutboxWriter, type TraceSource } from './outboxWriter.js';
import type { Outbox } from './outbox.js';
import { createPublisher, type OutboxPublisher } from './outboxPublisher.js';

export type OpenOutbox = Outbox & Omit<OutboxPublisher, 'wake'>;

/** Opens the outbox of a process that publishes its own commits, and registers the metrics. */
export async function openOutbox(options: {
  db: SqlDatabase;
  queues: Queues;
  clock: Clock;
  log: Logger;
  metrics: { readonly registry: Registry };
  tracing: TraceSource | null;
}): Promise<OpenOutbox> {
  const { db, queues, clock, metrics } = options;
  // Only processes that publish jobs load the Prometheus client.
  const { registerBacklogMetrics } = await import('./backlogMetrics.js');
  registerBacklogMetrics(metrics.registry, db, queues, clock);
  const { wake, ...publisher } = createPublisher(options);
  return { ...createOutboxWriter(options, wake), ...publisher };
}
