import { audioSampleRate, samplesPerPacket } from '../../../shared/media/audioPackets.js';

/*
 * FLV tags that replace a track that the encoder does not send, so that every ffmpeg process reads one H.264 and one audio stream.
 */

/** One dark frame of 320 x 180 as H.264, encoded with ffmpeg. */
const stillConfiguration = 'FwAAAAABTUAM/+EAGGdNQAzcFBn58BEAAAMAAQAAAwAyDxQrgAEABWjuDyyA';
const stillFrame = 'FwEAAAAAAAA+ZYiEBL/+6Mn8yy1XSfSdFjDHaccwj0dMOr1HKPkNoxF5REMAAYCKKEjw2yIi9U7A5AAACJg/44tlMlm8aXE=';

export const still = {
  configuration: Buffer.from(stillConfiguration, 'base64'),
  payload: Buffer.from(stillFrame, 'base64'),
  width: 320,
  height: 180,
  durationMs: 40,
} as const;

/** One packet of AAC-LC, 48 kHz, stereo. */
export const silence = {
  configuration: Buffer.from([0xaf, 0x00, 0x11, 0x90]),
  payload: Buffer.from([0xaf, 0x01, 0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c]),
  durationMs: (samplesPerPacket / audioSampleRate) * 1000,
} as const;

/** Generates the times of replacement media, following those of the present track. */
export class ReplacementClock {
  #count = 0;

  constructor(
    private readonly startMs: number,
    private readonly durationMs: number,
  ) {}

  /** The next times, up to a time of the present track. */
  *until(timeMs: number): Generator<number> {
    for (;;) {
      const next = this.startMs + this.#count * this.durationMs;
      if (next > timeMs) return;
      this.#count += 1;
      yield next;
    }
  }
}
