import { open } from 'node:fs/promises';
import { audioBits } from '../../shared/content/ladder.js';
import { boxesIn, DamagedMediaError, find, need, type Box } from '../../shared/content/mp4/isoBox.js';
import { avcConfigurationOf, sampleEntry } from '../../shared/content/mp4/tracks.js';
import { trackRunsIn } from '../../shared/content/mp4/trackRuns.js';

/*
 * The part of the MP4 container format (ISO 14496-12) that is needed to check our own segments: their samples and times.
 */

/** Bytes from the start of the boxes of a video sample entry back to its width. */
const widthBefore = 54;

/** The size of the coded frames, in pixels. */
export function frameSizeOf(init: Buffer): { width: number; height: number } {
  const at = sampleEntry(init, 'video').start - widthBefore;
  return { width: init.readUInt16BE(at), height: init.readUInt16BE(at + 2) };
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
  /** All samples are presented equally long. */
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
    const presented = samples.map(({ offset, duration }) => (time += duration) - duration + offset);
    presented.sort((left, right) => left - right);
    const [presentationTime = Number.POSITIVE_INFINITY, second = 0] = presented;
    return {
      track,
      samples: samples.length,
      decodeTime,
      duration: time - decodeTime,
      presentationTime,
      smallestOffset: samples.reduce((smallest, { offset }) => Math.min(smallest, offset), Number.POSITIVE_INFINITY),
      uniform: presented.every((start, index) => start === presentationTime + index * (second - presentationTime)),
      startsWithSync: samples[0]?.isSync ?? false,
    };
  });
}
