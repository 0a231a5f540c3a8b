/** A token bucket that may go into debt: it refills at a constant rate, up to its capacity. */
export class Allowance {
  readonly #capacity: number;
  #left: number;
  #at: number;

  /** `seconds`: time to refill the bucket, which sets its capacity. `now`: milliseconds of a monotonic clock. */
  constructor(
    private readonly perSecond: number,
    seconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#left = this.#capacity = perSecond * seconds;
    this.#at = now();
  }

  /** Spends an amount, which may exceed the balance. Returns the milliseconds until the debt is repaid; negative if there is none. */
  spend(amount: number): number {
    const now = this.now();
    this.#left = Math.min(this.#capacity, this.#left + ((now - this.#at) / 1000) * this.perSecond) - amount;
    this.#at = now;
    return (-this.#left / this.perSecond) * 1000;
  }
}
