import type { TagWindow } from './tagWindow.js';

const checkEveryMs = 500;
/** Media that has arrived and is not encoded: ffmpeg itself keeps about one second. */
const behindMs = 4_000;
/** An encoding that is behind for so long, and no faster than real time, is too much for this machine. */
const patienceMs = 10_000;
const catchingUpSpeed = 1.02;
/** ffmpeg gets media and writes nothing. */
const stalledMs = 15_000;

interface ProgressOptions {
  readonly startMs: number;
  readonly window: Pick<TagWindow, 'newestMs' | 'isFull' | 'peek'>;
  readonly onBehind: () => void;
  readonly onStalled: (detail: string) => void;
}

/**
 * Watches whether ffmpeg keeps up with the media that arrives. Time in which it must wait for the storage is not counted,
 * and an encoder that sends nothing is nobody's delay.
 */
export class ProgressWatch {
  #encodedMs: number;
  #progressAt = performance.now();
  #paused = 0;
  #behindSince: { readonly at: number; readonly encodedMs: number } | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(private readonly options: ProgressOptions) {
    this.#encodedMs = options.startMs;
    this.#timer = setInterval(() => this.check(), checkEveryMs);
  }

  /** ffmpeg has encoded up to this time of the run. */
  note(encodedMs: number): void {
    this.#encodedMs = Math.max(this.#encodedMs, encodedMs);
    this.#progressAt = performance.now();
  }

  /** ffmpeg has to wait until the returned function is called. */
  pause(): () => void {
    this.#paused += 1;
    return () => {
      this.#paused -= 1;
      this.#progressAt = performance.now();
    };
  }

  check(): void {
    const { window, onBehind, onStalled } = this.options;
    const now = performance.now();
    if (this.#paused > 0) {
      this.#behindSince = null;
      return;
    }
    const lagMs = window.newestMs - this.#encodedMs;
    if (lagMs <= behindMs && !window.isFull) {
      this.#behindSince = null;
      if (!window.peek()) this.#progressAt = now;
      return;
    }
    if (now - this.#progressAt > stalledMs) onStalled(`ffmpeg has written nothing for ${stalledMs / 1000} s`);
    this.#behindSince ??= { at: now, encodedMs: this.#encodedMs };
    const elapsedMs = now - this.#behindSince.at;
    if (elapsedMs < patienceMs) return;
    if (this.#encodedMs - this.#behindSince.encodedMs < elapsedMs * catchingUpSpeed) onBehind();
    this.#behindSince = null;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
