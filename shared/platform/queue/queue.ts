import type { Queue, Worker, Job as BullJob } from 'bullmq';
import type { QueueName } from './job.js';

/**
 * One job on its way into a queue. `jobId` is the publication's own: handed over twice, it is one job. `identity` is
 * the work's: while a job of it waits, or runs, no second one joins it; after it has ended, well or not, the work may
 * be asked for again.
 */
export interface Publication {
  readonly queue: QueueName;
  readonly name: string;
  readonly jobId: string;
  readonly identity: string;
  readonly payload: object;
  /** What an identity that runs right now does with another request: nothing, or once more afterwards. */
  readonly repeats: 'once' | 'latest';
  readonly attempts: number;
  readonly backoffMs: number;
  readonly priority: number;
  readonly delayMs: number;
  /** An earlier attempt may have handed it over already: it is looked for before it is added. */
  readonly again: boolean;
}

/** Does one job of a queue; what it throws decides what becomes of the job, so only `workers/runtime` writes one. */
export type Processor = (job: BullJob, token: string | undefined, signal: AbortSignal) => Promise<unknown>;

/** BullMQ on PostgreSQL or on Redis; handlers, services and routes cannot tell which (docs/architecture.md). */
export interface Queues {
  readonly backend: 'postgres' | 'redis';
  /** Hands jobs over in bulk; rejects at once while the server is away. */
  publish(publications: readonly Publication[]): Promise<void>;
  /** For the Bull Board and the metrics. */
  all(): readonly Queue[];
  /** Serves a queue in this process. */
  serve(queue: QueueName, concurrency: number, process: Processor): Worker;
  /** Throws where the queue server cannot be asked. */
  check(): Promise<void>;
  close(): Promise<void>;
}
