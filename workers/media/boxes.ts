import { open } from 'node:fs/promises';
import { audioBits } from '../../shared/content/ladder.js';
import { boxesIn, DamagedMediaError, find, need, type Box } from './isoBox.js';
import { trackRunsIn } from './trackRuns.js';

/*
 * The part of the MP4 container format (ISO 14496-12) that is needed to check our own segments: their samples and times.
 */

/** A track of an initialisation segment. */
export interface Track {
  readonly id: number;
  readonly kind: 'video' | 'audio';
  readonly timescale: number;
}

/** Bytes at the start of a sample entry, before its boxes. */
const entryHeader = { video: 78, audio: 28 };

export function readTracks(init: Buffer): Track[] {
  const moov = need(init, init, 'moov');
  const tracks = [...boxesIn(init, moov.start, moov.end)].filter((box) => box.type === 'trak');
  return tracks.map((trak) => {
    const tkhd = need(init, trak, 'tkhd');
    const mdhd = need(init, trak, 'mdia', 'mdhd');
    const handler = need(init, trak, 'mdia', 'hdlr');
    return {
      id: init.readUInt32BE(tkhd.start + (init[tkhd.start] === 1 ? 20 : 12)),
      kind: init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide' ? 'video' : 'audio',
      timescale: init.readUInt32BE(mdhd.start + (init[mdhd.start] === 1 ? 20 : 12)),
    };
  });
}

function sampleEntry(init: Buffer, kind: 'video' | 'audio'): Box {
  const moov = need(init, init, 'moov');
  for (const trak of [...boxesIn(init, moov.start, moov.end)].filter((box) => box.type === 'trak')) {
    const handler = need(init, trak, 'mdia', 'hdlr');
    if ((init.toString('latin1', handler.start + 8, handler.start + 12) === 'vide') !== (kind === 'video')) continue;
    const stsd = need(init, trak, 'mdia', 'minf', 'stbl', 'stsd');
    const [entry] = boxesIn(init, stsd.start + 8, stsd.end);
    if (entry) return { ...entry, start: entry.start + entryHeader[kind] };
  }
  throw new DamagedMediaError(`no sample entry of ${kind}`);
}

/** Bytes from the start of the boxes of a video sample entry back to its width. */
const widthBefore = 54;

/** The size of the coded frames, in pixels. */
export function frameSizeOf(init: Buffer): { width: number; height: number } {
  const at = sampleEntry(init, 'video').start - widthBefore;
  return { width: init.readUInt16BE(at), height: init.readUInt16BE(at + 2) };
}

/** The decoder configuration of H.264 (AVCDecoderConfigurationRecord, ISO 14496-15). Throws where there is none. */
export function avcConfigurationOf(init: Buffer): Buffer {
  const { start, end } = need(init, sampleEntry(init, 'video'), 'avcC');
  return init.subarray(start, end);
}

/** In `esds` (ISO 14496-1): how the description of an AAC decoder begins, its length, and the tag of what follows it. */
const aacDecoder = { start: Buffer.from([0x40, 0x15]), bytes: 13, specificTag: 0x05 };

/** Offset of the description of the decoder. Undefined where it is not AAC. */
function aacDecoderAt(init: Buffer, esds: Box): number | undefined {
  const at = init.indexOf(aacDecoder.start, esds.start);
  return at < 0 || at + aacDecoder.bytes > esds.end ? undefined : at;
}

/** The decoder configuration of AAC (AudioSpecificConfig, ISO 14496-3). Throws where there is none. */
export function aacConfigurationOf(init: Buffer): Buffer {
  const esds = need(init, sampleEntry(init, 'audio'), 'esds');
  let at = (aacDecoderAt(init, esds) ?? esds.end) + aacDecoder.bytes;
  if (init[at] !== aacDecoder.specificTag) throw new DamagedMediaError('no configuration of AAC');
  let length = 0;
  do {
    at += 1;
    length = length * 128 + (init.readUInt8(at) & 0x7f);
  } while (init.readUInt8(at) & 0x80);
  if (at + 1 + length > esds.end) throw new DamagedMediaError('the configuration of AAC is too short');
  return init.subarray(at + 1, at + 1 + length);
}

/** The `CODECS` attribute of a playlist (RFC 6381), from the decoder configuration. */
export function codecsOf(init: Buffer): string {
  return `avc1.${avcConfigurationOf(init).toString('hex', 1, 4)},mp4a.40.2`;
}

/**
 * The same initialisation segment without the bit rates that the muxer estimates from each chunk, so that the
 * initialisation segments of all chunks are equal, byte for byte.
 */
export function stripBitrateHints(init: Buffer): Buffer {
  const copy = Buffer.from(init);
  for (const kind of ['video', 'audio'] as const) {
    const entry = sampleEntry(copy, kind);
    const btrt = find(copy, entry, 'btrt');
    if (btrt) copy.fill(0, btrt.start, btrt.end);
    const esds = find(copy, entry, 'esds');
    const config = esds && aacDecoderAt(copy, esds);
    if (config === undefined) continue;
    copy.writeUInt32BE(audioBits, config + 5);
    copy.writeUInt32BE(audioBits, config + 9);
  }
  return copy;
}

/** The part of a segment that belongs to one track; times in ticks of the track. */
export interface TrackFragment {
  readonly track: number;
  readonly samples: number;
  readonly decodeTime: number;
  readonly duration: number;
  /** Presentation time of its first sample. */
  readonly presentationTime: number;
  /** The smallest difference between presentation and decoding time of a sample; CMAF allows negative ones. */
  readonly smallestOffset: number;
  /** All samples have the same duration. */
  readonly uniform: boolean;
  /** Its first sample is a sync sample: of video, a keyframe. */
  readonly startsWithSync: boolean;
}

/** The fragments of a segment, or of a part of it, in memory. Throws DamagedMediaError. */
export function fragmentsIn(segment: Buffer): TrackFragment[] {
  return [...boxesIn(segment, 0, segment.length)]
    .filter(({ type }) => type === 'moof')
    .flatMap(({ start, end }) => fragmentsOf(segment.subarray(start - 8, end)));
}

/** Reads the fragments of a segment file, without its media. */
export async function readFragments(path: string): Promise<TrackFragment[]> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const header = Buffer.alloc(8);
    const fragments: TrackFragment[] = [];
    for (let at = 0; at + 8 <= size;) {
      await handle.read(header, 0, 8, at);
      const length = header.readUInt32BE(0);
      if (length < 8 || at + length > size) throw new DamagedMediaError(`damaged box at ${at} of ${path}`);
      if (header.toString('latin1', 4, 8) === 'moof') {
        const moof = Buffer.alloc(length);
        await handle.read(moof, 0, length, at);
        fragments.push(...fragmentsOf(moof));
      }
      at += length;
    }
    return fragments;
  } finally {
    await handle.close();
  }
}

function fragmentsOf(moof: Buffer): TrackFragment[] {
  return trackRunsIn(moof).map(({ track, decodeTime, samples }) => {
    let time = decodeTime;
    let presentationTime = Number.POSITIVE_INFINITY;
    for (const sample of samples) {
      presentationTime = Math.min(presentationTime, time + sample.offset);
      time += sample.duration;
    }
    return {
      track,
      samples: samples.length,
      decodeTime,
      duration: time - decodeTime,
      presentationTime,
      smallestOffset: samples.reduce((smallest, { offset }) => Math.min(smallest, offset), Number.POSITIVE_INFINITY),
      uniform: samples.every((sample) => sample.duration === samples[0]?.duration),
      startsWithSync: samples[0]?.isSync ?? false,
    };
  });
}
