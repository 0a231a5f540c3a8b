/**
 * Measures the lag of a replica behind its primary. Positions are bytes of the write-ahead log, times are milliseconds of any
 * monotonic clock.
 */
export class ReplicaProgress {
  #replayed = -1;
  #currentAt = Number.NEGATIVE_INFINITY;
  #awaited: { readonly position: number; readonly at: number } | null = null;

  /** The primary has written up to this position. */
  written(position: number, now: number): void {
    this.#awaited ??= { position, at: now };
  }

  /** The replica has replayed up to this position. */
  replayed(position: number): void {
    this.#replayed = position;
    if (!this.#awaited || position < this.#awaited.position) return;
    this.#currentAt = this.#awaited.at;
    this.#awaited = null;
  }

  /** Whether everything up to this position has been replayed. */
  has(position: number): boolean {
    return this.#replayed >= position;
  }

  /** Upper bound of the lag: the replica has all older writes. Infinity if unknown. */
  lagMs(now: number): number {
    return now - this.#currentAt;
  }
}
