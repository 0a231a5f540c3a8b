import { audioBits } from '../audioPackets.js';
import { DamagedMediaError, findBox, needBox, type Box } from './isoBox.js';
import { avcConfigurationOf, readMp4Tracks, sampleEntry } from './tracks.js';

/* Reads video and audio parameters from initialisation segments (ISO 14496-12). */

/** Distance in bytes from the first box of a video sample entry back to the width field. */
const widthBefore = 54;

/** The size of the coded frames, in pixels. */
export function frameSizeOf(init: Buffer): { width: number; height: number } {
  const at = sampleEntry(init, 'video').start - widthBefore;
  return { width: init.readUInt16BE(at), height: init.readUInt16BE(at + 2) };
}

/** AAC decoder description in `esds` (ISO 14496-1): its first bytes, its length, and the tag of the descriptor after it. */
const aacDecoder = { start: Buffer.from([0x40, 0x15]), bytes: 13, specificTag: 0x05 };

/** Offset of the decoder description. Undefined if the codec is not AAC. */
function aacDecoderAt(init: Buffer, esds: Box): number | undefined {
  const at = init.indexOf(aacDecoder.start, esds.start);
  return at < 0 || at + aacDecoder.bytes > esds.end ? undefined : at;
}

/** The decoder configuration of AAC (AudioSpecificConfig, ISO 14496-3). Throws if there is none. */
export function aacConfigurationOf(init: Buffer): Buffer {
  const esds = needBox(init, sampleEntry(init, 'audio'), 'esds');
  let at = (aacDecoderAt(init, esds) ?? esds.end) + aacDecoder.bytes;
  if (init[at] !== aacDecoder.specificTag) throw new DamagedMediaError('no AAC configuration');
  let length = 0;
  do {
    at += 1;
    length = length * 128 + (init.readUInt8(at) & 0x7f);
  } while (init.readUInt8(at) & 0x80);
  if (at + 1 + length > esds.end) throw new DamagedMediaError('AAC configuration is truncated');
  return init.subarray(at + 1, at + 1 + length);
}

/** AAC-LC (RFC 6381). */
export const aacCodec = 'mp4a.40.2';

/** The `CODECS` attribute of a playlist (RFC 6381), from the decoder configuration. */
export function codecsOf(init: Buffer): string {
  const video = `avc1.${avcConfigurationOf(init).toString('hex', 1, 4)}`;
  return readMp4Tracks(init).some(({ kind }) => kind === 'audio') ? `${video},${aacCodec}` : video;
}

/**
 * The same initialisation segment without the bit rates that the muxer estimates from each chunk, so that the
 * initialisation segments of all chunks are equal, byte for byte.
 */
export function stripBitrateHints(init: Buffer): Buffer {
  const copy = Buffer.from(init);
  for (const { kind } of readMp4Tracks(copy)) {
    const entry = sampleEntry(copy, kind);
    const btrt = findBox(copy, entry, 'btrt');
    if (btrt) copy.fill(0, btrt.start, btrt.end);
    const esds = findBox(copy, entry, 'esds');
    const config = esds && aacDecoderAt(copy, esds);
    if (config === undefined) continue;
    copy.writeUInt32BE(audioBits, config + 5);
    copy.writeUInt32BE(audioBits, config + 9);
  }
  return copy;
}
