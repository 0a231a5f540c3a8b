import type { Context } from '../context.js';

/*
 * Leases end at a time of the database's clock and are compared with that clock only: the clocks of processes may differ.
 */

/** SQL: the end of a lease that is taken or renewed now. Binds `$leaseSeconds`. */
export const leaseEnd = 'now() + make_interval(secs => $leaseSeconds)';

/** A process that has not renewed its lease for this long has lost it; as long as the lock of a job. */
export function leaseSeconds(ctx: Context): number {
  return ctx.config.worker.lockSeconds;
}
