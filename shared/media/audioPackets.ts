import type { FrameRate } from './frameRate.js';

/* The audio that this service encodes: AAC in stereo, and also in 5.1 if the source has more channels. */

/** Only the first audio streams of a source are used, up to this number. */
export const maxAudioTracks = 8;

export const audioSampleRate = 48_000;
export const samplesPerPacket = 1024;
/** One bit rate of audio for all renditions: it is encoded once, and switching between renditions is inaudible. */
export const audioBits = 128_000;
const bitsOfChannel = 64_000;

/** The bit rate of audio with this number of channels. */
export function audioBitsOf(channels: number): number {
  return channels * bitsOfChannel;
}

/** The first AAC packet that starts at or after a frame. At the end of the content, the number of packets. */
export function firstPacketAt(frame: number, [rate, scale]: FrameRate): number {
  const samples = BigInt(frame) * BigInt(scale) * BigInt(audioSampleRate);
  const unit = BigInt(rate) * BigInt(samplesPerPacket);
  return Number((samples + unit - 1n) / unit);
}
