import type { Job as BullJob, Queue, Worker } from 'bullmq';

/** One job to be added to a queue. Adding the same publication twice makes one job. */
export interface JobPublication {
  readonly queue: string;
  readonly name: string;
  /** Id of the job, unique for ever. */
  readonly jobId: string;
  /** See `Job.key`. While a job of this key waits or runs, the queue adds no second one. */
  readonly deduplicationKey: string;
  readonly payload: object;
  /** See `Job.repeats`. */
  readonly repeats: 'once' | 'latest';
  readonly attempts: number;
  readonly backoffMs: number;
  readonly priority: number;
  readonly delayMs: number;
  /** The trace that the job belongs to; null: none. */
  readonly traceparent: string | null;
  /** An earlier attempt may have added the job: it is looked for before it is added. */
  readonly maybePublished: boolean;
}

/** Runs one job of a queue. What it throws decides about the next attempt, so only `workers/runtime` has one. */
export type Processor = (job: BullJob, token: string | undefined, signal: AbortSignal) => Promise<unknown>;

/** The queues: BullMQ on PostgreSQL or on Redis. Only `backend` shows which. */
export interface Queues {
  readonly backend: 'postgres' | 'redis';
  /** Rejects at once while the server is known to be down, and after a second where its state is unknown. */
  ready(): Promise<void>;
  /** Adds jobs in bulk. Rejects at once while the server is down. */
  publish(publications: readonly JobPublication[]): Promise<void>;
  /** For the Bull Board and the metrics. */
  all(): readonly Queue[];
  /** Starts a worker for a queue in this process. */
  serve(queue: string, concurrency: number, process: Processor): Worker;
  /** Rejects where the server does not respond. */
  check(): Promise<void>;
  close(): Promise<void>;
}
