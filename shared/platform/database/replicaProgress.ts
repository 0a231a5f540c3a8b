/**
 * How far a replica is behind its primary. Positions are bytes of the write-ahead log, times are milliseconds of any clock that
 * only goes forward.
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

  /** The replica has everything that was written before this time ago; Infinity where this is not known. */
  lagMs(now: number): number {
    return now - this.#currentAt;
  }
}
