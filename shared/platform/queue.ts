import type { Queue, Worker, Job as BullJob } from 'bullmq';
import type { QueueName } from './job.js';

/** One job on its way into a queue; `jobId` makes a second publication of it harmless. */
export interface Publication {
  readonly queue: QueueName;
  readonly name: string;
  readonly jobId: string;
  readonly payload: object;
  readonly repeats: 'once' | 'latest';
  readonly attempts: number;
  readonly backoffMs: number;
  readonly priority: number;
  readonly delayMs: number;
}

/** BullMQ on PostgreSQL or on Redis; handlers, services and routes cannot tell which (house.md 6). */
export interface Queues {
  readonly backend: 'postgres' | 'redis';
  /** Hands jobs over in bulk; rejects at once while the server is away. */
  publish(publications: readonly Publication[]): Promise<void>;
  /** For the Bull Board and the metrics. */
  all(): readonly Queue[];
  /** Serves a queue in this process. */
  serve(queue: QueueName, concurrency: number, process: (job: BullJob, token: string | undefined, signal: AbortSignal) => Promise<unknown>): Worker;
  check(): Promise<void>;
  close(): Promise<void>;
}
