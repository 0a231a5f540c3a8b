import { readFile, writeFile } from 'node:fs/promises';
import { secondsOfFrames } from '../frameRate.js';
import { audioSampleRate } from '../audioPackets.js';
import type { Grid } from '../grid.js';
import type { Mp4Track } from './tracks.js';
import { decodingInside, type CorrectedTimes } from './decodingTimes.js';
import { boxesIn, needBox, type Box } from './isoBox.js';
import { trackRunsIn, type Sample, type TrackRuns } from './trackRuns.js';

/*
 * Corrects the timestamps that ffmpeg has muxed: video and audio of each segment begin together, and at 0 at the start of the
 * content.
 *
 * - With B-frames, a frame is decoded before it is presented. ffmpeg writes the decoding time of a keyframe earlier than its
 *   presentation time by this delay: before zero for the first keyframe, which MP4 cannot express. Players that align segments by
 *   decoding time (hls.js) then leave a gap. Here, the decoding of each fragment begins and ends with its presentation. There are
 *   no negative offsets, which ffmpeg-based players present too late, and no edit list, which VLC and hls.js ignore.
 * - The muxer splits audio at the decoding time of the next keyframe. ffmpeg therefore receives the audio earlier by the same
 *   delay, and here it is moved back.
 */

/** Decoding delay in frames: that of x264 in all presets with B-frames. */
const reorderedFrames = 2;

/**
 * The time by which ffmpeg receives the audio of a plan early, for a preset: a whole number of samples, rounded down, so that no
 * packet precedes the frame that begins with it.
 */
export function audioLeadSeconds({ frameRate }: Pick<Grid, 'frameRate'>, preset: string): number {
  const delaySeconds = preset === 'ultrafast' ? 0 : secondsOfFrames(reorderedFrames, frameRate);
  return Math.floor(delaySeconds * audioSampleRate) / audioSampleRate;
}

/** Corrects the times in a segment file, and drops its index (`sidx`), which would be wrong. Throws DamagedMediaError. */
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
 * A box `moof` with corrected times; it may be longer, and its media are unchanged. `timesOf`: corrected times of a video run;
 * null to keep the times. Throws DamagedMediaError.
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

/** A `traf` box with corrected times, written for each sample. */
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

/** Each sample has a duration, a size, flags and an offset. */
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

/** Shifts the data offsets of all runs: the box has become longer, and the media follow it. */
function moveData(moof: Buffer, bytes: number): void {
  for (const traf of [...boxesIn(moof, 8, moof.length)].filter(({ type }) => type === 'traf'))
    for (const trun of [...boxesIn(moof, traf.start, traf.end)].filter(({ type }) => type === 'trun'))
      if (moof.readUInt32BE(trun.start) & 0x1)
        moof.writeInt32BE(moof.readInt32BE(trun.start + 8) + bytes, trun.start + 8);
}
