import type { Queue, Worker } from 'bullmq';
import type { QueueName } from './job.js';
import type { Processor } from './queue.js';

/** What differs between BullMQ on PostgreSQL and BullMQ on Redis. */
export interface QueueBackend {
  readonly name: 'postgres' | 'redis';
  /** Opens the producing side of a queue, on a connection that all queues share. */
  openQueue(queue: QueueName): Queue;
  openWorker(queue: QueueName, concurrency: number, process: Processor): Worker;
  /** Rejects at once while the server is known to be away, and after a second where nothing is known. */
  ready(): Promise<void>;
  /** Asks the server something. */
  check(): Promise<void>;
  close(): Promise<void>;
}
