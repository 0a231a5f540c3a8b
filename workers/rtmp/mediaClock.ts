/** Half of the range of 31 bits: a greater difference is a timestamp that has wrapped. */
const halfRangeMs = 2 ** 30;
/** Audio and video of one encoder are never so far apart: its timestamps have started again. */
const restartMs = 10_000;

/**
 * Times of the FLV stream. The first media has time zero, and the time goes on when a timestamp wraps. Messages without a time of
 * their own, metadata and configurations, have the time of the last media: some encoders send them with zero.
 */
export class MediaClock {
  #first: number | null = null;
  #previousTimestamp = 0;
  /** Without wrapping, since the first media. */
  #elapsedMs = 0;

  /** The timestamp of the first media as the encoder has sent it. */
  get firstTimestamp(): number | null {
    return this.#first;
  }

  get lastMs(): number {
    return Math.max(0, this.#elapsedMs);
  }

  /** The time of a media message in milliseconds. Audio and video come a little out of order: it may go back. */
  advance(timestamp: number): number {
    this.#first ??= this.#previousTimestamp = timestamp;
    const difference = differenceMs(timestamp, this.#previousTimestamp);
    this.#elapsedMs += difference < -restartMs ? 0 : difference;
    this.#previousTimestamp = timestamp;
    return this.lastMs;
  }
}

/** Timestamps wrap after 32 bits; those of ffmpeg after 31, because FLV defines them as signed. */
function differenceMs(timestamp: number, previous: number): number {
  const signed = (timestamp - previous) | 0;
  if (signed > halfRangeMs) return signed - 2 ** 31;
  return signed < -halfRangeMs ? signed + 2 ** 31 : signed;
}
