/** What a peer may spend: it grows with the time, up to what may be spent at once. */
export class Allowance {
  readonly #most: number;
  #left: number;
  #at: number;

  /** `seconds`: how long it grows. `now`: milliseconds of a clock that never goes back. */
  constructor(
    private readonly perSecond: number,
    seconds: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#left = this.#most = perSecond * seconds;
    this.#at = now();
  }

  /** Spends an amount, more than what is left too; returns the milliseconds after which nothing is owed, or less than 0. */
  spend(amount: number): number {
    const now = this.now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.perSecond) - amount;
    this.#at = now;
    return (-this.#left / this.perSecond) * 1000;
  }
}
