import type { Queue, Worker } from 'bullmq';
import type { Processor } from './queue.js';
import type { QueueServerError } from './queueServerError.js';

/** The differences between BullMQ on PostgreSQL and BullMQ on Redis. */
export interface QueueBackend {
  readonly name: 'postgres' | 'redis';
  /** The dependency that counts as unreachable if the backend cannot connect. */
  readonly server: QueueServerError['server'];
  /** Opens a queue for adding jobs, on a connection that all queues share. */
  openQueue(queue: string): Queue;
  openWorker(queue: string, concurrency: number, process: Processor): Worker;
  /** Rejects at once while the server is known to be down, and after a second if its state is unknown. */
  ready(): Promise<void>;
  /** Sends a command to the server. */
  check(): Promise<void>;
  close(): Promise<void>;
}
