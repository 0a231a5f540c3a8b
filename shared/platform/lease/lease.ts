import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/*
 * A lease assigns the work of a row to one process until a time: `lease_owner` and `lease_until`. The time is set and compared
 * by the database's clock only, because the clocks of processes may differ.
 *
 * - A conditional update takes the lease (`lease.taken` if `lease.free`) and returns a `Claim`. `claimWork` waits for the lease
 *   of a process that has died.
 * - `LeaseRenewal` and `underLease` renew the lease while the work runs.
 * - The lease is lost if another process has taken it, or if the work is no longer needed. The work then ends without writing
 *   anything, and its job is put back (`HeldElsewhereError`).
 * - The transition that ends the work releases the lease (`lease.released`), also after a failure.
 *
 * The rows, and all other conditions of these updates, belong to the callers.
 */

const endAfter = (seconds: string): string => `now() + make_interval(secs => ${seconds})`;
const end = endAfter('$leaseSeconds');

/**
 * SQL of a lease. Binds: `$leaseOwner` and `$leaseSeconds`. All conditions except `free` begin with a column name, so that a
 * table name can precede them.
 */
export const lease = {
  /** The end of a lease that is taken or renewed now. */
  end,
  /** The same, with an SQL expression for the seconds. */
  endAfter,
  /** Assignments. */
  taken: `lease_owner = $leaseOwner, lease_until = ${end}`,
  renewed: `lease_until = ${end}`,
  released: 'lease_owner = NULL, lease_until = NULL',
  /** Conditions. */
  held: 'lease_owner = $leaseOwner',
  free: '(lease_until IS NULL OR lease_until < now())',
  ended: 'lease_until < now()',
  running: 'lease_until >= now()',
} as const;

/** A context in which a lease lasts as long as a job's lock. */
export interface LeaseContext {
  readonly config: { readonly worker: { readonly lockSeconds: number } };
}

/** Length of the lease of a job's work, and maximum time between renewals. */
export function leaseSeconds(ctx: LeaseContext): number {
  return ctx.config.worker.lockSeconds;
}

/** Identifies one attempt of one process. */
export function newLeaseOwner(): string {
  return `${hostname()}-${process.pid}-${randomUUID()}`;
}
