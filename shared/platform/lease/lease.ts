import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

/*
 * A lease says which process does the work of a row, and until when: `lease_owner` and `lease_until`. It ends at a time of the
 * database's clock and is compared with that clock only: the clocks of processes may differ.
 *
 * - It is taken by a conditional update (`lease.taken` where `lease.free`), which tells its caller a `Claim`. `claimWork` waits
 *   for the lease of a process that has died.
 * - It is renewed while the work runs (`LeaseRenewal`, `underLease`).
 * - It is lost where another process has it, or nobody wants the work any more. Then the work ends, nothing of it is written, and
 *   its job is put back (`HeldElsewhereError`).
 * - It is handed back (`lease.returned`) by the transition that ends the work, well or not.
 *
 * The rows, and all other conditions of these updates, belong to the domains; `docs/decisions/jobs.md` lists them.
 */

const endAfter = (seconds: string): string => `now() + make_interval(secs => ${seconds})`;
const end = endAfter('$leaseSeconds');

/**
 * SQL of a lease. Binds `$leaseOwner` and `$leaseSeconds`. The conditions but `free` begin with their column, so that the name of
 * a table can stand before them.
 */
export const lease = {
  /** The end of a lease that is taken or renewed now. */
  end,
  /** The same, in `seconds`: an expression. */
  endAfter,
  /** Assignments. */
  taken: `lease_owner = $leaseOwner, lease_until = ${end}`,
  renewed: `lease_until = ${end}`,
  returned: 'lease_owner = NULL, lease_until = NULL',
  /** Conditions. */
  held: 'lease_owner = $leaseOwner',
  free: '(lease_until IS NULL OR lease_until < now())',
  ended: 'lease_until < now()',
  running: 'lease_until >= now()',
} as const;

/** A context in which a lease lasts as long as the lock of a job. */
export interface LeaseContext {
  readonly config: { readonly worker: { readonly lockSeconds: number } };
}

/** A process that has not renewed the lease of a job's work for this long has lost it. */
export function leaseSeconds(ctx: LeaseContext): number {
  return ctx.config.worker.lockSeconds;
}

/** Identifies one attempt of one process. */
export function newLeaseOwner(): string {
  return `${hostname()}-${process.pid}-${randomUUID()}`;
}

/**
 * Result of claiming work: `mine` with the work, `taken` by another process whose lease ends at `until`, or `nothing` left
 * to do.
 */
export type Claim<Work> =
  | { readonly outcome: 'mine'; readonly work: Work }
  | { readonly outcome: 'taken'; readonly until: Date }
  | { readonly outcome: 'nothing' };

/**
 * Another worker holds the work of the job, or has taken it over. The job is put back, without counting an attempt: where that
 * worker finishes, the job finds nothing left to do; where it dies, the job does the work.
 */
export class HeldElsewhereError extends Error {
  override readonly name: string = 'HeldElsewhereError';
}

/** The lease belongs to another process now, or the work is no longer wanted. */
export class LeaseLostError extends HeldElsewhereError {
  override readonly name = 'LeaseLostError';
}

/** The lease could not be renewed for so long that it must count as lost. The cause is the error of the last renewal. */
export class LeaseNotRenewedError extends LeaseLostError {}

const pollMs = 500;

/**
 * Claims work. Where another worker holds the lease, that worker was mostly killed, and its job has come here before the
 * lease has ended: then waits for the end of the lease. Throws HeldElsewhereError where the holder renews it. Null: there is
 * nothing to do.
 */
export async function claimWork<Work>(
  { signal }: { readonly signal: AbortSignal },
  claim: () => Promise<Claim<Work>>,
): Promise<Work | null> {
  let waitedFor: number | undefined;
  for (;;) {
    const claimed = await claim();
    if (claimed.outcome === 'mine') return claimed.work;
    if (claimed.outcome === 'nothing') return null;
    const until = claimed.until.getTime();
    if (waitedFor !== undefined && until > waitedFor) throw new HeldElsewhereError('another worker renews the lease');
    waitedFor = until;
    await sleep(pollMs, undefined, { signal });
  }
}

interface KeptLease {
  /** Resolves with false where the lease is lost. */
  readonly renew: () => Promise<boolean>;
  /** Without a renewal for so long, the lease counts as lost: its length, where the work does not have to outlast the database. */
  readonly lostAfterMs: number;
  /** Between two renewals. Default: a third of `lostAfterMs`. */
  readonly everyMs?: number;
  readonly log: Logger;
}

/** Renews a lease until `stop`. A renewal that fails is tried again after a quarter of the time, and logged once in each outage. */
export class LeaseRenewal {
  readonly #lost = new AbortController();
  readonly #everyMs: number;
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  #dueAt: number;
  #renewing: Promise<void> | null = null;
  /** Of the last renewal. */
  #failure: unknown;
  #isStopped = false;

  constructor(private readonly kept: KeptLease) {
    this.#everyMs = kept.everyMs ?? kept.lostAfterMs / 3;
    this.#dueAt = this.#renewedAt + this.#everyMs;
    this.#timer = setInterval(() => this.#tick(), this.#everyMs / 4);
  }

  /** Aborted when the lease is lost, with a LeaseLostError. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Renews at once. Rejects with LeaseLostError where the lease is lost, or with the error of the renewal. */
  renew(): Promise<void> {
    if (this.lost.aborted) return Promise.reject(this.lost.reason);
    this.#renewing ??= this.#renewNow().finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  /** The work has just renewed the lease itself, with a statement of its own. */
  renewedByWork(): void {
    this.#failure = undefined;
    this.#renewedAt = performance.now();
    this.#dueAt = this.#renewedAt + this.#everyMs;
  }

  /** Nothing is renewed any more: the lease ends at its time. */
  abandon(): void {
    this.#lose(new LeaseLostError('the work was abandoned'));
  }

  /** Nothing is renewed any more, and no loss is noticed. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#renewedAt > this.kept.lostAfterMs)
      this.#lose(new LeaseNotRenewedError('the lease could not be renewed', { cause: this.#failure }));
    else if (now >= this.#dueAt) this.renew().catch(() => {});
  }

  async #renewNow(): Promise<void> {
    const { renew, log } = this.kept;
    const began = performance.now();
    let isHeld: boolean;
    try {
      isHeld = await renew();
    } catch (error) {
      if (this.#failure === undefined && !this.#isStopped) log.warn({ err: error }, 'lease not renewed');
      this.#failure = error;
      this.#dueAt = began + this.#everyMs / 4;
      throw error;
    }
    if (!isHeld) throw this.#lose(new LeaseLostError('the lease was lost'));
    this.#failure = undefined;
    this.#renewedAt = performance.now();
    this.#dueAt = began + this.#everyMs;
  }

  #lose(error: LeaseLostError): LeaseLostError {
    if (!this.#isStopped) this.#lost.abort(error);
    this.stop();
    return error;
  }
}

/**
 * Runs the work of a job while its lease is renewed, at a third of its length. The work gets a signal, which is aborted with the
 * job's own signal, and with LeaseLostError when the lease is lost or could not be renewed for its whole length; and a function
 * that renews the lease at once, for work that writes its progress with it.
 */
export async function underLease<Result>(
  run: {
    readonly ctx: LeaseContext;
    readonly log: Logger;
    readonly signal: AbortSignal;
    readonly abandoned?: AbortSignal;
  },
  renew: () => Promise<boolean>,
  work: (signal: AbortSignal, renewNow: () => void) => Promise<Result>,
): Promise<Result> {
  const lostAfterMs = leaseSeconds(run.ctx) * 1000;
  const renewal = new LeaseRenewal({ renew, lostAfterMs, log: run.log });
  const signal = AbortSignal.any([run.signal, renewal.lost]);
  // Work that ignores its signal must not keep its lease.
  run.abandoned?.addEventListener('abort', () => renewal.abandon(), { once: true });
  try {
    return await work(signal, () => void renewal.renew().catch(() => {}));
  } catch (error) {
    // Aborted work fails in many ways; the reason of the abort is the useful one.
    throw signal.aborted ? signal.reason : error;
  } finally {
    renewal.stop();
  }
}

/**
 * For work that has failed with `error`: takes the lease anew where it has ended and nobody else has taken it, so that the caller
 * can write what the failure means. Throws LeaseLostError where it belongs to another worker.
 */
export async function keepAfterFailure(error: unknown, renew: () => Promise<boolean>): Promise<void> {
  if (await renew()) return;
  throw error instanceof LeaseLostError
    ? error
    : new LeaseLostError(`the lease was lost: ${(error as Error).message}`, { cause: error });
}
