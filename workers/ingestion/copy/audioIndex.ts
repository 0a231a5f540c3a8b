import { samplesPerPacket } from '../../../shared/media/audioPackets.js';

/** Containers round to milliseconds. */
const packetTolerance = { eachSeconds: 0.003, totalSeconds: 0.03 };
/** Maximum gap or overlap at a join of recordings. The timestamp is copied, so video and audio stay in sync. */
export const maxAudioGapSeconds = 0.04;
/** Maximum share of packets that follow such a join. */
export const shareOfJoins = 0.02;

/** The timing of an audio stream, from its packets. */
export interface AudioIndex {
  /** Timestamp of the first packet in the source. */
  readonly startSeconds: number;
  /** From the first packet to the end of the last one. */
  readonly durationSeconds: number;
  /** Consecutive packets of 1024 samples, with at most a few short gaps. */
  readonly isContinuous: boolean;
}

/** Builds an AudioIndex from the presentation timestamps of the audio packets. */
export class AudioIndexer {
  #first = Number.NaN;
  #last = Number.NaN;
  #packets = 0;
  #joins = 0;
  #drift = 0;
  #isContinuous = true;

  constructor(private readonly stream: { readonly timeBase: number; readonly sampleRate: number }) {}

  add(tick: number): void {
    const { timeBase } = this.stream;
    const seconds = tick * timeBase;
    const each = this.#packetSeconds;
    if (this.#packets === 0) this.#first = seconds;
    else {
      const late = seconds - this.#last - each;
      if (Math.abs(late) <= packetTolerance.eachSeconds) this.#drift += late;
      else this.#joins += 1;
      const isClose = Math.abs(late) <= maxAudioGapSeconds && seconds > this.#last;
      if (!isClose || Math.abs(this.#drift) > packetTolerance.totalSeconds) this.#isContinuous = false;
    }
    if (!Number.isFinite(seconds)) this.#isContinuous = false;
    this.#last = seconds;
    this.#packets += 1;
  }

  /** Called when the decoder configuration changes, because a copy has only one. */
  change(): void {
    this.#isContinuous = false;
  }

  /** Timestamp of the first packet in the source; NaN before it is read. */
  get startSeconds(): number {
    return this.#first;
  }

  /** Null if the first or last packet has no timestamp: start or end of the audio is unknown. */
  finish(): AudioIndex | null {
    const durationSeconds = this.#last - this.#first + this.#packetSeconds;
    if (!Number.isFinite(durationSeconds)) return null;
    const isContinuous = this.#isContinuous && this.#joins <= shareOfJoins * this.#packets;
    return { startSeconds: this.#first, durationSeconds, isContinuous };
  }

  get #packetSeconds(): number {
    return samplesPerPacket / Math.max(1, this.stream.sampleRate);
  }
}
