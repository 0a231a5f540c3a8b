import { boxesIn, DamagedMediaError, needBox, type Box } from './isoBox.js';

/* The tracks of an initialisation segment or a complete file (ISO 14496-12), and their decoder parameters. */

export interface Mp4Track {
  readonly id: number;
  /** `audio`: everything except video. Initialisation segments contain no other kinds. */
  readonly kind: 'video' | 'audio';
  /** Ticks per second of its times. */
  readonly timescale: number;
  /** Offsets of these 32-bit big-endian numbers in the buffer. */
  readonly positions: { readonly id: number; readonly timescale: number };
}

/** The tracks of an initialisation segment. Throws DamagedMediaError. */
export function readMp4Tracks(init: Buffer): Mp4Track[] {
  return trackBoxes(init).map((trak) => readTrack(init, trak));
}

/** The boxes `trak` in file order. Throws DamagedMediaError. */
export function trackBoxes(init: Buffer): Box[] {
  const moov = needBox(init, init, 'moov');
  return [...boxesIn(init, moov.start, moov.end)].filter(({ type }) => type === 'trak');
}

/** Throws DamagedMediaError. */
export function readTrack(init: Buffer, trak: Box): Mp4Track {
  const tkhd = needBox(init, trak, 'tkhd');
  const positions = {
    id: tkhd.start + (init[tkhd.start] === 1 ? 20 : 12),
    timescale: timescaleAt(init, needBox(init, trak, 'mdia', 'mdhd')),
  };
  return {
    id: init.readUInt32BE(positions.id),
    kind: kindOf(init, trak),
    timescale: init.readUInt32BE(positions.timescale),
    positions,
  };
}

/** Offset of the time scale in a box `mdhd` or `mvhd`. */
export function timescaleAt(init: Buffer, { start }: Box): number {
  return start + (init[start] === 1 ? 20 : 12);
}

function kindOf(init: Buffer, trak: Box): Mp4Track['kind'] {
  const handler = needBox(init, trak, 'mdia', 'hdlr');
  return init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide' ? 'video' : 'audio';
}

/** Bytes at the start of a sample entry, before its boxes. */
const entryHeader = { video: 78, audio: 28 };

/** The boxes in the sample entry of a track. Throws DamagedMediaError. */
export function sampleEntry(init: Buffer, kind: Mp4Track['kind']): Box {
  for (const trak of trackBoxes(init)) {
    if (kindOf(init, trak) !== kind) continue;
    const stsd = needBox(init, trak, 'mdia', 'minf', 'stbl', 'stsd');
    const [entry] = boxesIn(init, stsd.start + 8, stsd.end);
    if (entry) return { ...entry, start: entry.start + entryHeader[kind] };
  }
  throw new DamagedMediaError(`no ${kind} sample entry`);
}

/** The decoder configuration of H.264 (AVCDecoderConfigurationRecord, ISO 14496-15). Throws if there is none. */
export function avcConfigurationOf(init: Buffer): Buffer {
  const { start, end } = needBox(init, sampleEntry(init, 'video'), 'avcC');
  return init.subarray(start, end);
}
