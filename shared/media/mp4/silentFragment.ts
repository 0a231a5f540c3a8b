import { audioSampleRate, samplesPerPacket } from '../audioPackets.js';
import { fragmentHead } from './fragmentWriter.js';
import { trackIds } from './singleTrack.js';

/**
 * A packet of AAC-LC in stereo without any sound (ISO 14496-3, 4.4.2.1). The first 7 bits: a pair of channels, number 0. Then one bit:
 * both have the window of the next fields, which are 0, as is all that follows: no bands, so no coefficients. The last bits: the end, 7.
 */
const silentPacket = Buffer.from([0x21, 0, 0, 0, 0, 0x1c]);

/** Times come from rounded numbers: a packet that begins so much before a segment is its first one. In packets. */
const tolerance = 0.01;

/** The packets of silence that begin in a time, as a fragment for `audioInitialisation(2)`. Empty where none begins. */
export function silentFragment(startSeconds: number, endSeconds: number): Buffer[] {
  const [first, end] = [firstPacketFrom(startSeconds), firstPacketFrom(endSeconds)];
  const samples = Array.from({ length: Math.max(0, end - first) }, (_, index) => ({
    decodeTime: (first + index) * samplesPerPacket,
    ...{ duration: samplesPerPacket, offset: 0, isSync: true, bytes: silentPacket.length },
  }));
  if (samples.length === 0) return [];
  return [fragmentHead(trackIds.audio, 1, samples), ...samples.map(() => silentPacket)];
}

function firstPacketFrom(seconds: number): number {
  return Math.max(0, Math.ceil((seconds * audioSampleRate) / samplesPerPacket - tolerance));
}
