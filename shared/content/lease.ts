import type { Context } from '../platform/context.js';

/*
 * Leases end at a time of the database's clock and are compared with that clock only: the clocks of workers may differ.
 */

/** SQL: the end of a lease that is taken or renewed now. Binds `$leaseSeconds`. */
export const leaseEnd = 'now() + make_interval(secs => $leaseSeconds)';

/** A worker that has not renewed its lease for this long has lost it; as long as the lock of its job. */
export function leaseSeconds(ctx: Context): number {
  return ctx.config.worker.lockSeconds;
}

/**
 * Result of claiming work: `mine` with the work, `taken` by another worker whose lease ends at `until`, or `nothing` left
 * to do.
 */
export type Claim<Work> =
  | { readonly outcome: 'mine'; readonly work: Work }
  | { readonly outcome: 'taken'; readonly until: Date }
  | { readonly outcome: 'nothing' };
