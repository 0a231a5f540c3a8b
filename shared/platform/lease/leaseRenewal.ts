import type { Logger } from 'pino';
import { HeldElsewhereError } from './claimWork.js';

/** The lease belongs to another process, or the work is no longer needed. */
export class LeaseLostError extends HeldElsewhereError {
  override readonly name = 'LeaseLostError';
}

/** The lease could not be renewed, and counts as lost. The cause is the error of the last renewal. */
export class LeaseNotRenewedError extends LeaseLostError {}

interface RenewedLease {
  /** Resolves with false if the lease is lost. */
  readonly renew: () => Promise<boolean>;
  /**
   * The lease counts as lost after this time without a renewal: its length, unless the work must survive an outage of the
   * database.
   */
  readonly lostAfterMs: number;
  /** Interval of renewals. Default: a third of `lostAfterMs`. */
  readonly everyMs?: number;
  readonly log: Logger;
}

/** Renews a lease until `stop`. A failed renewal is retried after a quarter of the interval, and logged once per outage. */
export class LeaseRenewal {
  readonly #lost = new AbortController();
  readonly #everyMs: number;
  readonly #timer: NodeJS.Timeout;
  #renewedAt = performance.now();
  #dueAt: number;
  #renewing: Promise<void> | null = null;
  /** The error of the last renewal. */
  #failure: unknown;
  #isStopped = false;

  constructor(private readonly options: RenewedLease) {
    this.#everyMs = options.everyMs ?? options.lostAfterMs / 3;
    this.#dueAt = this.#renewedAt + this.#everyMs;
    this.#timer = setInterval(() => this.#tick(), this.#everyMs / 4);
  }

  /** Aborted with a LeaseLostError when the lease is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Renews at once. Rejects with LeaseLostError if the lease is lost, or with the error of the renewal. */
  renew(): Promise<void> {
    if (this.lost.aborted) return Promise.reject(this.lost.reason);
    this.#renewing ??= this.#renewNow().finally(() => (this.#renewing = null));
    return this.#renewing;
  }

  /** Records that the work has renewed the lease with a statement of its own. */
  renewedByWork(): void {
    this.#failure = undefined;
    this.#renewedAt = performance.now();
    this.#dueAt = this.#renewedAt + this.#everyMs;
  }

  /** Stops renewing and reports the lease as lost: it expires at its end time. */
  abandon(): void {
    this.#lose(new LeaseLostError('the work was abandoned'));
  }

  /** Stops renewing; a later loss is not reported. */
  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = performance.now();
    if (now - this.#renewedAt > this.options.lostAfterMs)
      this.#lose(new LeaseNotRenewedError('the lease could not be renewed', { cause: this.#failure }));
    else if (now >= this.#dueAt) this.renew().catch(() => {});
  }

  async #renewNow(): Promise<void> {
    const { renew, log } = this.options;
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
