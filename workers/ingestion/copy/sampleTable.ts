import { setImmediate as others } from 'node:timers/promises';
import { boxesIn, DamagedMediaError, find, need, type Box } from '../../media/isoBox.js';
import { RunLengths, tableLength } from './sampleRuns.js';
import type { CopyRefusal } from './copyRefusal.js';
import {
  longestAudioGapSeconds,
  shareOfJoins,
  VideoIndexer,
  type AudioIndex,
  type PacketIndex,
} from './packetIndex.js';
import type { CopiedStreams } from './readPackets.js';

/*
 * The index of an MP4 file (ISO 14496-12): its box `moov` has the times and sizes of all packets. So they are known after a read
 * of some megabytes, however large the file is. Files of other kinds are read by ffprobe (`readPackets.ts`).
 */

/** Reads a range of the file; `end` is exclusive. */
export interface RangeReader {
  readonly bytes: number;
  read(start: number, end: number): Promise<Buffer>;
}

const longestIndexBytes = 96 * 1024 ** 2;
/** More boxes than a file of one recording has. */
const mostBoxes = 1_000;
/** 12 hours at 240 frames a second: a table of few bytes can claim any number. */
const mostSamples = 12 * 3600 * 240;
const samplesAtOnce = 100_000;
const samplesPerPacket = 1024;
/** Encoders of AAC delay by up to this; an edit list that cuts off more is not only about the delay. */
const longestPriming = 4096;

type Result = PacketIndex | { readonly refusal: CopyRefusal };

/**
 * The index from the tables of the file. Null where this reader does not know the file well enough: it is fragmented, or unlike
 * what ffprobe has found.
 */
export async function readSampleTable(reader: RangeReader, streams: CopiedStreams): Promise<Result | null> {
  try {
    const moov = await readMovieBox(reader);
    return moov && ('refusal' in moov ? moov : await indexOf(moov.box, streams));
  } catch (error) {
    // A table that ends early, or claims more than its box has.
    if (error instanceof RangeError || error instanceof DamagedMediaError) return null;
    throw error;
  }
}

async function readMovieBox(reader: RangeReader): Promise<{ box: Buffer } | { refusal: CopyRefusal } | null> {
  let moov: Buffer | null = null;
  let at = 0;
  for (let boxes = 0; at + 8 <= reader.bytes; boxes += 1) {
    const header = await reader.read(at, Math.min(at + 16, reader.bytes));
    const type = header.toString('latin1', 4, 8);
    const short = header.readUInt32BE(0);
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short === 0 ? reader.bytes - at : short;
    if (type === 'moof' || size < 8 || boxes > mostBoxes) return null;
    if (at + size > reader.bytes) return { refusal: 'truncated' };
    if (type === 'moov') {
      if (moov || short === 1 || size > longestIndexBytes) return null;
      moov = await reader.read(at, at + size);
    }
    at += size;
  }
  return moov && { box: moov };
}

interface MovieTrack {
  readonly timescale: number;
  readonly stbl: Box;
  readonly edits: readonly Edit[] | null;
}

interface Edit {
  /** In ticks of the track. */
  readonly durationTicks: number;
  /** -1: nothing is shown. */
  readonly mediaTick: number;
  readonly isUsualSpeed: boolean;
}

async function indexOf(moov: Buffer, { video, audio }: CopiedStreams): Promise<Result | null> {
  if (find(moov, moov, 'moov', 'mvex') || find(moov, moov, 'moov', 'cmov')) return null;
  const tracks = tracksOf(moov);
  const shown = trackOf(tracks, video);
  if (!shown) return null;
  const result = await indexVideo(moov, shown);
  if (!result || 'refusal' in result) return result;
  const heard = audio && trackOf(tracks, audio);
  const sound = audio && heard ? indexAudio(moov, heard) : null;
  return {
    video: result,
    audio: sound && { ...sound, startSeconds: audio?.startSeconds ?? 0 },
    startSeconds: video.coded.startSeconds,
  };
}

/** ffprobe numbers the tracks in their order. One with another time base is another one. */
function trackOf(
  tracks: readonly MovieTrack[],
  { index, timeBase }: { readonly index: number; readonly timeBase: number },
): MovieTrack | null {
  const track = tracks[index];
  return track && Math.abs(1 / track.timescale - timeBase) < 1e-12 ? track : null;
}

function tracksOf(moov: Buffer): MovieTrack[] {
  const movie = need(moov, moov, 'moov');
  const movieScale = timescaleOf(moov, need(moov, movie, 'mvhd'));
  return [...boxesIn(moov, movie.start, movie.end)]
    .filter(({ type }) => type === 'trak')
    .map((trak) => {
      const timescale = timescaleOf(moov, need(moov, trak, 'mdia', 'mdhd'));
      const list = find(moov, trak, 'edts', 'elst');
      const stbl = need(moov, trak, 'mdia', 'minf', 'stbl');
      return { timescale, stbl, edits: list ? editsOf(moov, list, timescale / movieScale) : null };
    });
}

function timescaleOf(moov: Buffer, header: Box): number {
  return moov.readUInt32BE(header.start + (moov[header.start] === 1 ? 20 : 12));
}

function editsOf(moov: Buffer, list: Box, scale: number): Edit[] {
  const isLong = moov[list.start] === 1;
  const bytes = isLong ? 20 : 12;
  const count = tableLength(moov, list, 4, bytes);
  return Array.from({ length: count }, (_, index) => {
    const at = list.start + 8 + index * bytes;
    const duration = isLong ? Number(moov.readBigUInt64BE(at)) : moov.readUInt32BE(at);
    const mediaTick = isLong ? Number(moov.readBigInt64BE(at + 8)) : moov.readInt32BE(at + 4);
    const isUsualSpeed = moov.readInt32BE(at + (isLong ? 16 : 8)) === 0x10000;
    return { durationTicks: duration * scale, mediaTick, isUsualSpeed };
  });
}

async function indexVideo(moov: Buffer, { stbl, timescale, edits }: MovieTrack) {
  if (moov.readUInt32BE(need(moov, stbl, 'stsd').start + 4) !== 1) return { refusal: 'parameterSets' } as const;
  const sizes = find(moov, stbl, 'stsz');
  if (!sizes) return null;
  const equalBytes = moov.readUInt32BE(sizes.start + 4);
  const count = equalBytes > 0 ? moov.readUInt32BE(sizes.start + 8) : tableLength(moov, sizes, 8, 4);
  if (count === 0 || count > mostSamples) return null;
  const steps = new RunLengths(moov, need(moov, stbl, 'stts'));
  const offsetBox = find(moov, stbl, 'ctts');
  const offsets = offsetBox && new RunLengths(moov, offsetBox);
  // As ffmpeg: decoding times move back, so that no frame is shown before it is decoded.
  const shift = offsetBox ? -lowestOf(new RunLengths(moov, offsetBox)) : 0;
  const keyframes = keyframesOf(moov, stbl);
  const indexer = new VideoIndexer(1 / timescale);
  let decodeTick = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let sample = 0; sample < count && !indexer.refusal; sample += 1) {
    const duration = steps.next();
    const tick = decodeTick + (offsets ? offsets.next() : 0);
    const bytes = equalBytes > 0 ? equalBytes : moov.readUInt32BE(sizes.start + 12 + 4 * sample);
    indexer.add({ tick, decodeTick: decodeTick - shift, duration, bytes, isKeyframe: keyframes(sample) });
    decodeTick += duration;
    first = Math.min(first, tick);
    last = Math.max(last, tick);
    if (sample % samplesAtOnce === samplesAtOnce - 1) await others();
  }
  const index = indexer.finish();
  return edits && !('refusal' in index) && cuts(edits, first, last) ? ({ refusal: 'editList' } as const) : index;
}

/** The lowest value below zero; zero where there is none. */
function lowestOf(offsets: RunLengths): number {
  let lowest = 0;
  for (const value of offsets.values()) lowest = Math.min(lowest, value);
  return lowest;
}

/** Whether a sample is a keyframe; to be called for each sample in order. Without a table, all are. */
function keyframesOf(moov: Buffer, stbl: Box): (sample: number) => boolean {
  const table = find(moov, stbl, 'stss');
  if (!table) return () => true;
  const count = tableLength(moov, table, 4, 4);
  let next = 0;
  const at = (index: number): number => (index < count ? moov.readUInt32BE(table.start + 8 + 4 * index) - 1 : -1);
  return (sample) => {
    if (at(next) !== sample) return false;
    next += 1;
    return true;
  };
}

/** Whether an edit list leaves out frames, repeats them or changes their speed. Nothing at the start only delays them. */
function cuts(edits: readonly Edit[], firstTick: number, lastTick: number): boolean {
  const shown = edits.filter(({ mediaTick }) => mediaTick !== -1);
  const [edit] = shown;
  if (!edit || shown.length > 1 || edits.at(-1) !== edit) return true;
  const isToEnd = edit.durationTicks === 0 || edit.mediaTick + edit.durationTicks > lastTick;
  return !edit.isUsualSpeed || edit.mediaTick > firstTick || !isToEnd;
}

function indexAudio(moov: Buffer, { stbl, timescale, edits }: MovieTrack): Omit<AudioIndex, 'startSeconds'> | null {
  const steps = find(moov, stbl, 'stts');
  const sizes = find(moov, stbl, 'stsz');
  if (!steps || !sizes) return null;
  const count = moov.readUInt32BE(sizes.start + 8);
  const { total, joins, longest } = stepsOf(moov, steps);
  const isEven = longest <= longestAudioGapSeconds * timescale && joins <= Math.max(1, shareOfJoins * count);
  const edit = edits?.find(({ mediaTick }) => mediaTick !== -1);
  const primed = edit?.mediaTick ?? 0;
  const isWhole = !edits || (!cuts(edits, primed, total - 2 * samplesPerPacket) && primed <= longestPriming);
  const isContinuous = isEven && isWhole && count > 0 && !find(moov, stbl, 'ctts');
  return { durationSeconds: (total - primed) / timescale, isContinuous };
}

/** The sum of all durations; how many are not those of a packet, and by how much at most. The last one may be shorter. */
function stepsOf(moov: Buffer, box: Box): { total: number; joins: number; longest: number } {
  let [total, joins, longest] = [0, 0, 0];
  const end = box.start + 8 + 8 * tableLength(moov, box, 4, 8);
  for (let at = box.start + 8; at < end; at += 8) {
    const [count, ticks] = [moov.readUInt32BE(at), moov.readInt32BE(at + 4)];
    total += count * ticks;
    if (ticks === samplesPerPacket) continue;
    joins += count;
    longest = Math.max(longest, ticks <= 0 ? Number.POSITIVE_INFINITY : Math.abs(ticks - samplesPerPacket));
  }
  return { total, joins, longest };
}
