import { ShutdownError, type JobRun } from './jobTypes.js';
import { outageOf } from '../../shared/platform/outage.js';

/*
 * The attempts at a content, a chunk, a cut or a slate are counted in its row, across all its jobs. So work that kills
 * every worker ends. An attempt that was returned says nothing about the work: an outage of any length fails none.
 */

/** As in the row. */
export interface Attempts {
  /** How often work has begun. It also names folders, so it never becomes smaller. */
  readonly attempt: number;
  /** How many of these were returned. */
  readonly returns: number;
}

const maxAttempts = 12;

/** Without those that were returned. */
export function countedAttempts({ attempt, returns }: Attempts): number {
  return attempt - returns;
}

/** Whether the attempt that has begun is one too many. */
export function isPoison(work: Attempts): boolean {
  return countedAttempts(work) > maxAttempts;
}

/** Whether no further attempt may begin. */
export function isLastCounted(work: Attempts): boolean {
  return countedAttempts(work) >= maxAttempts;
}

/** Whether an attempt that has ended with `error` is returned: a server is away, a disk is full, or this process stops. */
export function isReturned(run: JobRun<unknown>, error: Error): boolean {
  return run.signal.reason instanceof ShutdownError || outageOf(error) !== null;
}
