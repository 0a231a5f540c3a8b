import type { Context } from '../../shared/platform/context.js';
import type { Job } from '../../shared/platform/queue/index.js';
import type { Logger } from '../../shared/platform/log.js';
import type { WorkerContext } from './workerContext.js';

/** One attempt at one job. */
export interface JobRun<Payload> {
  readonly ctx: WorkerContext;
  readonly log: Logger;
  readonly payload: Payload;
  /** Aborts at a timeout, a lost lock and shutdown. All work that the handler has started must then end. */
  readonly signal: AbortSignal;
  /**
   * Aborts some time after `signal`, when the attempt has ended without its handler, which must not renew leases any more
   * (`underLease`).
   */
  readonly abandoned?: AbortSignal;
  /** Counted from 1. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** 0..100, shown in the Bull Board. Written at most once a second. Never rejects. */
  readonly reportProgress: (percent: number) => void;
}

export type Handler<Payload> = (run: JobRun<Payload>) => Promise<unknown>;

/** A job with no attempt left. */
export interface ExhaustedRun<Payload> {
  readonly ctx: Context;
  readonly log: Logger;
  readonly payload: Payload;
  readonly error: Error;
}

/** Records in the rows that the work has failed. If it rejects, the job is put back instead of failing. */
export type ExhaustedHandler<Payload> = (run: ExhaustedRun<Payload>) => Promise<unknown>;

/** The job fails for good: a further attempt would fail in the same way. */
export class PermanentJobError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentJobError';
  }
}

/** A job with its handler. */
export interface HandledJob<Name extends string = string> {
  readonly job: Job<Name>;
  readonly run: Handler<never>;
  readonly onExhausted?: ExhaustedHandler<never>;
}

/** Pairs a job with its handler. A handler with another payload is a type error. */
export function handledBy<Name extends string, Payload extends object>(
  job: Job<Name, Payload>,
  run: Handler<Payload>,
  options: { readonly onExhausted?: ExhaustedHandler<Payload> } = {},
): HandledJob<Name> {
  return { job: job as unknown as Job<Name>, run, ...options };
}

/** Throws unless each job has exactly its own handler. */
export function assertHandled(
  jobs: readonly { readonly name: string }[],
  handlers: Readonly<Record<string, HandledJob>>,
): void {
  const names = jobs.map(({ name }) => name);
  const faults = [
    ...names.filter((name, position) => names.indexOf(name) !== position).map((name) => `${name} is declared twice`),
    ...names.filter((name) => !handlers[name]).map((name) => `${name} has no handler`),
    ...Object.entries(handlers)
      .filter(([name, { job }]) => job.name !== name)
      .map(([name, { job }]) => `${name} has the handler of ${job.name}`),
    ...Object.keys(handlers)
      .filter((name) => !names.includes(name))
      .map((name) => `${name} has a handler and is not a job`),
  ];
  if (faults.length > 0) throw new Error(`Jobs and handlers do not match: ${faults.join(', ')}`);
}

/** The abort reason at shutdown. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}

/** The abort reason of a job whose lock was lost to another worker. */
export class LostLockError extends Error {
  override readonly name = 'LostLockError';
}
