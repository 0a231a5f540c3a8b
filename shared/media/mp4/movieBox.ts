import { findBox, needBox, type Box } from './isoBox.js';
import { tableLength } from './sampleTables.js';
import { readTrack, timescaleAt, trackBoxes, type Mp4Track } from './tracks.js';

/*
 * The box `moov` of an MP4 file (ISO 14496-12), and its tracks.
 */

/** Reads a range of the file; `end` is exclusive. */
export interface RangeReader {
  readonly bytes: number;
  read(start: number, end: number): Promise<Buffer>;
}

const maxIndexBytes = 96 * 1024 ** 2;
/** More top-level boxes than a valid recording has. Each costs a read. */
const maxBoxes = 100;
/** More entries than the edit list of a valid recording has. */
const maxEdits = 16;

/** The section of a track that its edit list presents, without a leading delay. Ticks of the track. */
export interface ShownSection {
  readonly startTick: number;
  /** 0: to the end of the track. */
  readonly durationTicks: number;
}

/** A track of a complete file. */
export interface MovieTrack extends Mp4Track {
  /** Duration declared in its header, in ticks. */
  readonly declaredTicks: number;
  readonly stbl: Box;
  /** `edited`: the edit list has several sections or another playback speed. */
  readonly shown: 'all' | 'edited' | ShownSection;
}

interface MovieBox {
  /** Null if the file ends before it. */
  readonly box: Buffer | null;
  /** The file ends within a box. */
  readonly isTruncated: boolean;
}

/**
 * The box `moov`. Null if the file is fragmented or has boxes that this reader does not support. `isArriving`: reading stops at
 * the first `mdat` or `moof`, so only a `moov` in front of it is found.
 */
export async function readMovieBox(
  reader: RangeReader,
  { isArriving = false }: { readonly isArriving?: boolean } = {},
): Promise<MovieBox | null> {
  let moov: Buffer | null = null;
  let at = 0;
  for (let boxes = 0; at + 8 <= reader.bytes; boxes += 1) {
    const header = await reader.read(at, Math.min(at + 16, reader.bytes));
    const type = header.toString('latin1', 4, 8);
    const short = header.readUInt32BE(0);
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? reader.bytes - at : short;
    if ((type === 'mdat' || type === 'moof') && isArriving) break;
    if (type === 'moof' || size < 8 || boxes > maxBoxes) return null;
    if (at + size > reader.bytes) return { box: moov, isTruncated: true };
    if (type === 'moov') {
      if (moov || short === 1 || size > maxIndexBytes) return null;
      moov = await reader.read(at, at + size);
    }
    at += size;
  }
  return moov && { box: moov, isTruncated: false };
}

/** Whether a file with this box has its samples in fragments. */
export function isFragmented(moov: Buffer): boolean {
  return findBox(moov, moov, 'moov', 'mvex') !== undefined;
}

/** The tracks in file order. Throws DamagedMediaError. */
export function readMovieTracks(moov: Buffer): MovieTrack[] {
  const movieScale = moov.readUInt32BE(timescaleAt(moov, needBox(moov, moov, 'moov', 'mvhd')));
  return trackBoxes(moov).map((trak) => {
    const track = readTrack(moov, trak);
    const list = findBox(moov, trak, 'edts', 'elst');
    return {
      ...track,
      declaredTicks: declaredTicksOf(moov, needBox(moov, trak, 'mdia', 'mdhd')),
      stbl: needBox(moov, trak, 'mdia', 'minf', 'stbl'),
      shown: list ? shownBy(moov, list, track.timescale / movieScale) : 'all',
    };
  });
}

function declaredTicksOf(moov: Buffer, header: Box): number {
  const isLong = moov[header.start] === 1;
  return isLong ? Number(moov.readBigUInt64BE(header.start + 24)) : moov.readUInt32BE(header.start + 16);
}

function shownBy(moov: Buffer, list: Box, scale: number): 'edited' | ShownSection {
  const isLong = moov[list.start] === 1;
  const bytes = isLong ? 20 : 12;
  const count = tableLength(moov, list, 4, bytes);
  if (count > maxEdits) return 'edited';
  let shown: ShownSection | null = null;
  for (let at = list.start + 8; at < list.start + 8 + count * bytes; at += bytes) {
    if (shown) return 'edited';
    const duration = isLong ? Number(moov.readBigUInt64BE(at)) : moov.readUInt32BE(at);
    const startTick = isLong ? Number(moov.readBigInt64BE(at + 8)) : moov.readInt32BE(at + 4);
    const isUsualSpeed = moov.readInt32BE(at + (isLong ? 16 : 8)) === 0x10000;
    // An empty edit: a delay.
    if (startTick === -1) continue;
    if (!isUsualSpeed) return 'edited';
    shown = { startTick, durationTicks: duration * scale };
  }
  return shown ?? 'edited';
}

/** Whether the edit list of a track drops frames, repeats them or changes their speed. */
export function isCut(shown: MovieTrack['shown'], firstTick: number, lastTick: number): boolean {
  if (shown === 'all') return false;
  if (shown === 'edited') return true;
  const { startTick, durationTicks } = shown;
  return startTick > firstTick || (durationTicks !== 0 && startTick + durationTicks <= lastTick);
}
