import type { Job as BullJob, Queue, Worker } from 'bullmq';

/** A job to be added to a queue. Adding the same publication twice creates one job. */
export interface JobPublication {
  readonly queue: string;
  readonly name: string;
  /** Id of the job; never reused. */
  readonly jobId: string;
  /** See `Job.key`. While a job with this key waits or runs, the queue adds no second one. */
  readonly deduplicationKey: string;
  readonly payload: object;
  /** See `Job.repeats`. */
  readonly repeats: 'once' | 'latest';
  readonly attempts: number;
  readonly backoffMs: number;
  readonly priority: number;
  readonly delayMs: number;
  /** The trace of the job; null: none. */
  readonly traceparent: string | null;
  /** An earlier attempt may have added the job, so it is looked up before it is added. */
  readonly maybePublished: boolean;
}

/** Runs a job of a queue. The error that it throws decides about the next attempt, so only `workers/runtime` implements it. */
export type Processor = (job: BullJob, token: string | undefined, signal: AbortSignal) => Promise<unknown>;

/** The queues: BullMQ on PostgreSQL or on Redis. Only `backend` reveals the difference. */
export interface Queues {
  readonly backend: 'postgres' | 'redis';
  /** Rejects at once while the server is known to be down, and after a second if its state is unknown. */
  ready(): Promise<void>;
  /** Adds jobs in bulk. Rejects at once while the server is down. */
  publish(publications: readonly JobPublication[]): Promise<void>;
  /** All queues, for the Bull Board and the metrics. */
  all(): readonly Queue[];
  /** Starts a worker for a queue in this process. */
  serve(queue: string, concurrency: number, process: Processor): Worker;
  /** Rejects if the server does not respond. */
  check(): Promise<void>;
  close(): Promise<void>;
}
