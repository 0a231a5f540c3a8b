import type { Context } from '../shared/platform/context.js';
import type { Job } from '../shared/platform/job.js';
import type { Logger } from '../shared/platform/log.js';

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
  /** Shown at the Bull Board: 0..100. */
  reportProgress(percent: number): Promise<void>;
}

export type Handler<Payload> = (run: JobRun<Payload>) => Promise<unknown>;

/** The work itself is at fault: no further attempt can help. */
export class PermanentJobError extends Error {}

/** A job with who does it. */
export interface HandledJob<Name extends string = string> {
  readonly job: Job<Name>;
  readonly run: Handler<never>;
}

/** Ties a job to its handler; giving it another's does not compile. */
export function handle<Name extends string, Payload extends object>(job: Job<Name, Payload>, run: Handler<Payload>): HandledJob<Name> {
  return { job: job as unknown as Job<Name>, run: run as Handler<never> };
}
