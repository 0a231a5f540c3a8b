import { samplesPerPacket } from '../../../shared/media/audioPackets.js';

/** Containers round to milliseconds. */
const packetTolerance = { eachSeconds: 0.003, totalSeconds: 0.03 };
/** Where recordings were joined, a packet is earlier or later by up to this. Its time is copied, so video and audio stay in step. */
export const maxAudioGapSeconds = 0.04;
/** At most this share of the packets. */
export const shareOfJoins = 0.02;

/** What the packets of the audio say. */
export interface AudioIndex {
  /** Time of its first packet in the source. */
  readonly startSeconds: number;
  /** From its first packet to the end of its last one. */
  readonly durationSeconds: number;
  /** Packets of 1024 samples that follow each other, with few short gaps at most. */
  readonly isContinuous: boolean;
}

/** Takes the presentation times of the packets of the audio. */
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

  /** To be called where the decoder configuration changes: a copy has only one. */
  change(): void {
    this.#isContinuous = false;
  }

  /** Time of its first packet in the source; NaN before it. */
  get startSeconds(): number {
    return this.#first;
  }

  /** Null where its first or its last packet has no timestamp: it is not known when the audio begins or ends. */
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
