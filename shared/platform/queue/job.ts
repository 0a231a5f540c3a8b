import Joi, { type ObjectSchema } from 'joi';

/**
 * A job is a value, declared once. Payloads carry ids, are validated when they are added and when they are processed, and
 * only gain optional members.
 */
export interface Job<Name extends string = string, Payload extends object = object, Queue extends string = string> {
  readonly name: Name;
  readonly queue: Queue;
  readonly payload: ObjectSchema<Payload>;
  /**
   * Deduplication key, derived from the payload: `[A-Za-z0-9_.-]+`. While a job with the key waits or runs, the queue adds no
   * second one. After it has completed or failed, a new one can be added.
   */
  readonly key: (payload: Payload) => string;
  /**
   * Effect of adding a job while one with its key runs. `once`: none. `latest`: the job runs once more afterwards, however many
   * were added (for work that must see changes committed after its start).
   */
  readonly repeats: 'once' | 'latest';
  readonly attempts: number;
  /** Delay before the first retry. It doubles with each retry. */
  readonly backoffMs: number;
  /** After this time, the handler's signal is aborted and the attempt has failed. */
  readonly timeoutMs: number;
}

export function defineJob<Name extends string, Payload extends object, Queue extends string>(
  job: Omit<Job<Name, Payload, Queue>, 'repeats'> & { readonly repeats?: 'once' | 'latest' },
): Job<Name, Payload, Queue> {
  return { repeats: 'once', ...job };
}

type PeriodicDefaults = 'queue' | 'repeats' | 'attempts' | 'backoffMs';

/**
 * A job that the clock enqueues, without a payload. Its name is its key, so at most one waits at a time. By default it is in the
 * queue `sweeps` and has one attempt, because the next period enqueues it again.
 */
export function definePeriodicJob<Name extends string, Queue extends string = 'sweeps'>(
  job: Pick<Job<Name>, 'name' | 'timeoutMs'> & Partial<Pick<Job<Name, object, Queue>, PeriodicDefaults>>,
): Job<Name, object, Queue> {
  return {
    queue: 'sweeps' as Queue,
    payload: Joi.object<object, true>({}),
    key: () => job.name,
    repeats: 'latest',
    attempts: 1,
    backoffMs: 1_000,
    ...job,
  };
}

/** Options of one job. */
export interface EnqueueOptions {
  /** 0 (default) to 2,097,151; lower numbers run first. */
  readonly priority?: number;
  /** The job waits at least this long. */
  readonly delayMs?: number;
}
