import { ShutdownError, type JobRun } from './jobTypes.js';
import { outageOf } from '../../shared/platform/outage.js';

/*
 * The attempts at a content, a chunk, a cut or a slate are counted in its row, across all its jobs, so that work that crashes every
 * worker ends. A returned attempt does not count: an outage of any length fails no work.
 */

/** The counters of a row. */
export interface Attempts {
  /** Number of started attempts. It is part of folder names, so it never decreases. */
  readonly attempt: number;
  /** Number of attempts that were returned. */
  readonly returns: number;
}

const maxAttempts = 12;

/** Number of attempts without the returned ones. */
export function countedAttempts({ attempt, returns }: Attempts): number {
  return attempt - returns;
}

/** Whether the started attempt exceeds the maximum. */
export function isPoison(work: Attempts): boolean {
  return countedAttempts(work) > maxAttempts;
}

/** Whether no further attempt may begin. */
export function isLastCounted(work: Attempts): boolean {
  return countedAttempts(work) >= maxAttempts;
}

/**
 * Whether an attempt that failed with `error` is returned: a server is unavailable, a disk is full, or this process is stopping.
 */
export function isReturned(run: JobRun<unknown>, error: Error): boolean {
  return run.signal.reason instanceof ShutdownError || outageOf(error) !== null;
}
