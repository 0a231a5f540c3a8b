/** Half of the 31-bit range: a larger difference means that the timestamp has wrapped. */
const halfRangeMs = 2 ** 30;
/** A larger step back means that the encoder's timestamps have restarted. */
const restartMs = 10_000;

/**
 * Computes the times of the FLV stream. The first media has time zero, and the time continues when a timestamp wraps. Metadata and
 * configurations get the time of the last media, because some encoders send them with zero.
 */
export class MediaClock {
  #first: number | null = null;
  #previousTimestamp = 0;
  /** Time since the first media, without wrapping. */
  #elapsedMs = 0;

  /** The timestamp of the first media as the encoder has sent it. */
  get firstTimestamp(): number | null {
    return this.#first;
  }

  get lastMs(): number {
    return Math.max(0, this.#elapsedMs);
  }

  /** The time of a media message in milliseconds. It may decrease, because audio and video are slightly out of order. */
  advance(timestamp: number): number {
    this.#first ??= this.#previousTimestamp = timestamp;
    const difference = differenceMs(timestamp, this.#previousTimestamp);
    this.#elapsedMs += difference < -restartMs ? 0 : difference;
    this.#previousTimestamp = timestamp;
    return this.lastMs;
  }
}

/** Timestamps wrap after 32 bits, or after 31 bits with ffmpeg, because FLV defines them as signed. */
function differenceMs(timestamp: number, previous: number): number {
  const signed = (timestamp - previous) | 0;
  if (signed > halfRangeMs) return signed - 2 ** 31;
  return signed < -halfRangeMs ? signed + 2 ** 31 : signed;
}
