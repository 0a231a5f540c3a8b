import { boxesIn, DamagedMediaError, needBox, type Box } from './isoBox.js';

/*
 * The tracks of an initialisation segment (ISO 14496-12), and what decoders need.
 */

/** A track of an initialisation segment. */
export interface Mp4Track {
  readonly id: number;
  readonly kind: 'video' | 'audio';
  /** Ticks per second of its times. */
  readonly timescale: number;
  /** Where these numbers (32 bits, big-endian) are in the buffer. */
  readonly positions: { readonly id: number; readonly timescale: number };
}

/** The tracks of an initialisation segment. Throws DamagedMediaError. */
export function readMp4Tracks(init: Buffer): Mp4Track[] {
  const moov = needBox(init, init, 'moov');
  const tracks = [...boxesIn(init, moov.start, moov.end)].filter((box) => box.type === 'trak');
  return tracks.map((trak) => {
    const tkhd = needBox(init, trak, 'tkhd');
    const mdhd = needBox(init, trak, 'mdia', 'mdhd');
    const handler = needBox(init, trak, 'mdia', 'hdlr');
    const positions = {
      id: tkhd.start + (init[tkhd.start] === 1 ? 20 : 12),
      timescale: mdhd.start + (init[mdhd.start] === 1 ? 20 : 12),
    };
    return {
      id: init.readUInt32BE(positions.id),
      kind: init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide' ? 'video' : 'audio',
      timescale: init.readUInt32BE(positions.timescale),
      positions,
    };
  });
}

/** Bytes at the start of a sample entry, before its boxes. */
const entryHeader = { video: 78, audio: 28 };

/** The boxes in the sample entry of a track. Throws DamagedMediaError. */
export function sampleEntry(init: Buffer, kind: Mp4Track['kind']): Box {
  const moov = needBox(init, init, 'moov');
  for (const trak of [...boxesIn(init, moov.start, moov.end)].filter((box) => box.type === 'trak')) {
    const handler = needBox(init, trak, 'mdia', 'hdlr');
    if ((init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide') !== (kind === 'video')) continue;
    const stsd = needBox(init, trak, 'mdia', 'minf', 'stbl', 'stsd');
    const [entry] = boxesIn(init, stsd.start + 8, stsd.end);
    if (entry) return { ...entry, start: entry.start + entryHeader[kind] };
  }
  throw new DamagedMediaError(`no sample entry of ${kind}`);
}

/** The decoder configuration of H.264 (AVCDecoderConfigurationRecord, ISO 14496-15). Throws where there is none. */
export function avcConfigurationOf(init: Buffer): Buffer {
  const { start, end } = needBox(init, sampleEntry(init, 'video'), 'avcC');
  return init.subarray(start, end);
}
