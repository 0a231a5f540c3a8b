import { readFile, writeFile } from 'node:fs/promises';
import { secondsOfFrames } from '../frameRate.js';
import { audioSampleRate } from '../audioPackets.js';
import type { Grid } from '../grid.js';
import type { Mp4Track } from './tracks.js';
import { decodingInside, type CorrectedTimes } from './decodingTimes.js';
import { boxesIn, needBox, type Box } from './isoBox.js';
import { trackRunsIn, type Sample, type TrackRuns } from './trackRuns.js';

/*
 * The times in what ffmpeg has muxed are corrected, so that video and audio of each segment begin together, and at 0 where the
 * content begins:
 *
 * - Frames that refer to later ones are decoded before they are shown. ffmpeg puts the decoding of a keyframe that much before
 *   its presentation: of the first one before zero, which MP4 cannot say. And players that align segments by their decoding
 *   times (hls.js) leave a hole there. Here, the decoding of each fragment begins and ends with its presentation. There are no
 *   negative offsets, which players that are made with ffmpeg show too late, and no edit list, which VLC and hls.js ignore.
 * - The muxer divides audio where the decoding of the next keyframe begins. So the command gives it the audio that much too
 *   early, and here it is moved back.
 */

/** Encoded frames are decoded so much before they are shown: x264 in all presets with frames that refer to later ones. */
const reorderedFrames = 2;

/**
 * The muxer gets the audio of a plan, encoded with a preset, earlier by this: a whole number of samples, rounded down, so that no
 * packet comes before the frame that begins with it.
 */
export function audioLeadSeconds({ frameRate }: Pick<Grid, 'frameRate'>, preset: string): number {
  const delaySeconds = preset === 'ultrafast' ? 0 : secondsOfFrames(reorderedFrames, frameRate);
  return Math.floor(delaySeconds * audioSampleRate) / audioSampleRate;
}

/** Corrects the times in a segment file, and leaves out its index, which would be wrong. Throws DamagedMediaError. */
export async function correctSegment(path: string, tracks: readonly Mp4Track[]): Promise<void> {
  const data = await readFile(path);
  const boxes = [...boxesIn(data, 0, data.length)].filter(({ type }) => type !== 'sidx');
  const corrected = boxes.map(({ type, start, end }) => {
    const box = data.subarray(start - 8, end);
    return type === 'moof' ? correctedFragment(box, tracks, 0) : box;
  });
  await writeFile(path, Buffer.concat(corrected));
}

/**
 * A box `moof` with corrected times; its media follow it as before. It may be longer. `timesOf`: of its video; null where they
 * stay. Throws DamagedMediaError.
 */
export function correctedFragment(
  moof: Buffer,
  tracks: readonly Mp4Track[],
  audioLead: number,
  timesOf: (run: TrackRuns) => CorrectedTimes | null = ({ decodeTime, samples }) => decodingInside(decodeTime, samples),
): Buffer {
  const runs = trackRunsIn(moof);
  const trafs = [...boxesIn(moof, 8, moof.length)].filter(({ type }) => type === 'traf');
  const written = trafs.map((traf, index) => {
    const run = runs[index] as TrackRuns;
    const { kind, timescale = 0 } = tracks.find(({ id }) => id === run.track) ?? {};
    const inside = kind === 'video' ? timesOf(run) : null;
    if (inside) return withSamples(moof, traf, run.samples, inside);
    const ticks = kind === 'audio' ? Math.round(audioLead * timescale) : 0;
    return withDecodeTime(moof, traf, run.decodeTime + ticks);
  });
  const [first] = trafs;
  const corrected = Buffer.concat([moof.subarray(0, first ? first.start - 8 : moof.length), ...written]);
  corrected.writeUInt32BE(corrected.length, 0);
  moveData(corrected, corrected.length - moof.length);
  return corrected;
}

function withDecodeTime(moof: Buffer, { start, end }: Box, decodeTime: number): Buffer {
  const traf = Buffer.from(moof.subarray(start - 8, end));
  const tfdt = needBox(traf, { type: 'traf', start: 8, end: traf.length }, 'tfdt');
  if (traf[tfdt.start] === 1) traf.writeBigInt64BE(BigInt(decodeTime), tfdt.start + 4);
  else traf.writeUInt32BE(decodeTime, tfdt.start + 4);
  return traf;
}

/** The part of a track with other times, each written with its sample. */
function withSamples(moof: Buffer, traf: Box, samples: readonly Sample[], times: CorrectedTimes): Buffer {
  const timed = samples.map((sample, index) => ({ ...sample, ...times.samples[index] }));
  const boxes: Buffer[] = [];
  let taken = 0;
  for (const { type, start, end } of boxesIn(moof, traf.start, traf.end)) {
    if (type !== 'trun') {
      boxes.push(moof.subarray(start - 8, end));
      continue;
    }
    const count = moof.readUInt32BE(start + 4);
    const dataOffset = moof.readUInt32BE(start) & 0x1 ? moof.readInt32BE(start + 8) : null;
    boxes.push(trunOf(timed.slice(taken, taken + count), dataOffset));
    taken += count;
  }
  const header = Buffer.alloc(8);
  header.writeUInt32BE(
    boxes.reduce((sum, { length }) => sum + length, 8),
    0,
  );
  header.write('traf', 4, 'latin1');
  const written = Buffer.concat([header, ...boxes]);
  return withDecodeTime(written, { type: 'traf', start: 8, end: written.length }, times.decodeTime);
}

/** Each sample with its duration, size, flags and offset. */
const sampleFields = 0xf00;

function trunOf(samples: readonly Sample[], dataOffset: number | null): Buffer {
  const numbers = [
    (dataOffset === null ? 0 : 0x1) | sampleFields,
    samples.length,
    ...(dataOffset === null ? [] : [dataOffset]),
    ...samples.flatMap(({ duration, bytes, flags, offset }) => [duration, bytes, flags, offset]),
  ];
  const trun = Buffer.alloc(8 + 4 * numbers.length);
  trun.writeUInt32BE(trun.length, 0);
  trun.write('trun', 4, 'latin1');
  for (const [index, number] of numbers.entries()) trun.writeUInt32BE(number >>> 0, 8 + 4 * index);
  return trun;
}

/** Where the samples of all runs are: the media follow the box, which has become longer. */
function moveData(moof: Buffer, bytes: number): void {
  for (const traf of [...boxesIn(moof, 8, moof.length)].filter(({ type }) => type === 'traf'))
    for (const trun of [...boxesIn(moof, traf.start, traf.end)].filter(({ type }) => type === 'trun'))
      if (moof.readUInt32BE(trun.start) & 0x1)
        moof.writeInt32BE(moof.readInt32BE(trun.start + 8) + bytes, trun.start + 8);
}
