import type { ObjectSchema } from 'joi';

/** The queues; `WORKER_QUEUES` names those that a process serves. */
export const queueNames = [
  'ingestion',
  'transcoding',
  'transcoding-status',
  'payment-verification',
  'daily-programming',
  'search-sync',
  'mail',
  'sweeps',
] as const;
export type QueueName = (typeof queueNames)[number];

/**
 * A job is a value (principle 2 of docs/architecture.md), declared once in its domain. Payloads carry ids, are parsed on
 * arrival and only gain optional members.
 */
export interface Job<Name extends string = string, Payload extends object = object> {
  readonly name: Name;
  readonly queue: QueueName;
  readonly payload: ObjectSchema<Payload>;
  /**
   * Identity of the work, made of the payload: `[A-Za-z0-9_.-]+`. While a job of one identity waits or runs, the
   * queue takes no second one; once it has ended, completed or failed, the work may be asked for again.
   */
  readonly key: (payload: Payload) => string;
  /**
   * What a request does while the identity runs already. `once`: nothing. `latest`: it runs once more afterwards,
   * however often it was asked for (for work that must see what was committed after it had begun).
   */
  readonly repeats: 'once' | 'latest';
  readonly attempts: number;
  /** First gap before a retry; it doubles each time. */
  readonly backoffMs: number;
  /** After this the handler's signal is aborted and the attempt has failed. */
  readonly timeoutMs: number;
}

export function defineJob<Name extends string, Payload extends object>(
  job: Omit<Job<Name, Payload>, 'repeats'> & { readonly repeats?: 'once' | 'latest' },
): Job<Name, Payload> {
  return { repeats: 'once', ...job };
}

/** Options of one enqueued job. */
export interface EnqueueOptions {
  /** Lower runs first; 0 is the most urgent. Up to 2,097,151. */
  readonly priority?: number;
  /** Not before this many milliseconds from now. */
  readonly delayMs?: number;
}
