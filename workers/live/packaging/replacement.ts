import { audioSampleRate, samplesPerPacket } from '../../../shared/media/audioPackets.js';

/*
 * Media that replaces a track which the encoder does not send, as tags of FLV. So every ffmpeg reads one stream of H.264
 * and one of audio, and ends with it.
 */

/** Made by ffmpeg: one dark frame of 320 x 180, as H.264. */
const stillConfiguration = 'FwAAAAABTUAM/+EAGGdNQAzcFBn58BEAAAMAAQAAAwAyDxQrgAEABWjuDyyA';
const stillFrame = 'FwEAAAAAAAA+ZYiEBL/+6Mn8yy1XSfSdFjDHaccwj0dMOr1HKPkNoxF5REMAAYCKKEjw2yIi9U7A5AAACJg/44tlMlm8aXE=';

export const still = {
  configuration: Buffer.from(stillConfiguration, 'base64'),
  payload: Buffer.from(stillFrame, 'base64'),
  width: 320,
  height: 180,
  durationMs: 40,
} as const;

/** AAC-LC, 48 kHz, stereo; one packet. */
export const silence = {
  configuration: Buffer.from([0xaf, 0x00, 0x11, 0x90]),
  payload: Buffer.from([0xaf, 0x01, 0x21, 0x10, 0x04, 0x60, 0x8c, 0x1c]),
  durationMs: (samplesPerPacket / audioSampleRate) * 1000,
} as const;

/** Times of replacing media, which follow those of the track that is there. */
export class ReplacementClock {
  #count = 0;

  constructor(
    private readonly startMs: number,
    private readonly durationMs: number,
  ) {}

  /** The next times up to a time of the other track. */
  *until(timeMs: number): Generator<number> {
    for (;;) {
      const next = this.startMs + this.#count * this.durationMs;
      if (next > timeMs) return;
      this.#count += 1;
      yield next;
    }
  }
}
