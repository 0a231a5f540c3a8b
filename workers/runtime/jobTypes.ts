import type { Context } from '../../shared/platform/context.js';
import type { Job } from '../../shared/platform/queue/job.js';
import type { Logger } from '../../shared/platform/log.js';

/** One attempt at one job. */
export interface JobRun<Payload> {
  readonly ctx: Context;
  readonly log: Logger;
  readonly payload: Payload;
  /** Aborted on timeout, lost lock and shutdown; whatever the handler started must end with it. */
  readonly signal: AbortSignal;
  /** 1 for the first. */
  readonly attempt: number;
  readonly isLastAttempt: boolean;
  /** Shown at the Bull Board: 0..100. Never rejects; at most one a second is passed on. */
  readonly reportProgress: (percent: number) => Promise<void>;
}

export type Handler<Payload> = (run: JobRun<Payload>) => Promise<unknown>;

/** What a domain is told when no attempt is left. */
export interface ExhaustedRun<Payload> {
  readonly ctx: Context;
  readonly log: Logger;
  readonly payload: Payload;
  readonly error: Error;
}

/** Writes down that the work has FAILED. While it rejects, the job is not given up but tried again later. */
export type ExhaustedHandler<Payload> = (run: ExhaustedRun<Payload>) => Promise<unknown>;

/** The work itself is at fault: no further attempt can help. */
export class PermanentJobError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PermanentJobError';
  }
}

/** A job with who does it. */
export interface HandledJob<Name extends string = string> {
  readonly job: Job<Name>;
  readonly run: Handler<never>;
  readonly onExhausted?: ExhaustedHandler<never>;
}

/** Ties a job to its handler; giving it another's does not compile. */
export function handle<Name extends string, Payload extends object>(
  job: Job<Name, Payload>,
  run: Handler<Payload>,
  options: { readonly onExhausted?: ExhaustedHandler<Payload> } = {},
): HandledJob<Name> {
  return { job: job as unknown as Job<Name>, run, ...options };
}

/** Throws unless every job has exactly one handler, its own: the compiler says so too, but not of every build. */
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
      .map((name) => `${name} has a handler and is no job`),
  ];
  if (faults.length > 0) throw new Error(`The jobs are not in order: ${faults.join(', ')}`);
}

/** The reason of a signal that was aborted because the process ends. */
export class ShutdownError extends Error {
  override readonly name = 'ShutdownError';
}

/** The reason of a signal whose job has been given to another worker. */
export class LostLockError extends Error {
  override readonly name = 'LostLockError';
}
