import type { Logger } from 'pino';
import { HeldElsewhereError } from './claimWork.js';

/** The lease belongs to another process now, or the work is no longer wanted. */
export class LeaseLostError extends HeldElsewhereError {
  override readonly name = 'LeaseLostError';
}

/** The lease could not be renewed, and counts as lost. The cause is the error of the last renewal. */
export class LeaseNotRenewedError extends LeaseLostError {}

interface KeptLease {
  /** Resolves with false if the lease is lost. */
  readonly renew: () => Promise<boolean>;
  /** The lease counts as lost after this time without a renewal: its length, unless the work must outlast an outage of the database. */
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

  /** Renews at once. Rejects with LeaseLostError if the lease is lost, or with the error of the renewal. */
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
