import { audioSampleRate, samplesPerPacket } from '../audioPackets.js';
import { fragmentHead } from './fragmentWriter.js';
import { trackIds } from './singleTrack.js';

/**
 * A silent AAC-LC stereo packet (ISO 14496-3, 4.4.2.1). The first 7 bits: a channel pair element, number 0. The next bit: a
 * common window. All following fields are 0: no bands, so no coefficients. The last bits: the end element, 7.
 */
const silentPacket = Buffer.from([0x21, 0, 0, 0, 0, 0x1c]);

/** Times are rounded: a packet that begins this much before a segment is its first one. In packets. */
const tolerance = 0.01;

/** The silent packets that begin between two times, as a fragment for `audioInitialisation(2)`. Empty if there are none. */
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
