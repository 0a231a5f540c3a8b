import { open } from 'node:fs/promises';
import type { DeclaredEnds, ProbedSource } from '../media/index.js';
import {
  DamagedMediaError,
  findBox,
  RunLengths,
  sampleSizesOf,
  readMovieBox,
  readMovieTracks,
  type MovieTrack,
} from '../../shared/media/mp4/index.js';

/** The track ends that the headers of an MP4 declare. ffprobe uses the sample tables instead, which may be damaged. */
export async function movieEnds(
  path: string,
  { demuxer, video, audio, declaredEnds }: ProbedSource,
): Promise<DeclaredEnds> {
  if (demuxer !== 'mov') return declaredEnds;
  const file = await open(path);
  try {
    const { size: bytes } = await file.stat();
    const read = async (start: number, end: number): Promise<Buffer> => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
      return buffer.subarray(0, bytesRead);
    };
    const moov = await readMovieBox({ bytes, read });
    if (!moov?.box) return declaredEnds;
    const tracks = readMovieTracks(moov.box);
    return {
      ...declaredEnds,
      video: video ? video.coded.startSeconds + lengthOf(tracks[video.index]) : Number.NaN,
      audio: audio ? audio.startSeconds + lengthOf(tracks[audio.index]) : Number.NaN,
      isLastFrameKnown: !video || (await hasTimeOfEachSample(moov.box, tracks[video.index])),
    };
  } catch (error) {
    if (error instanceof DamagedMediaError || error instanceof RangeError) return declaredEnds;
    throw error;
  } finally {
    await file.close();
  }
}

async function hasTimeOfEachSample(moov: Buffer, track: MovieTrack | undefined): Promise<boolean> {
  const steps = track && findBox(moov, track.stbl, 'stts');
  const sizes = track && sampleSizesOf(moov, track.stbl);
  if (!steps || !sizes) return true;
  let samples = 0;
  await new RunLengths(moov, steps).forEach((count) => (samples += count));
  return samples === sizes.count;
}

/** Presented duration of a track; NaN if it is unknown. */
function lengthOf(track: MovieTrack | undefined): number {
  if (!track || track.shown === 'edited') return Number.NaN;
  const { declaredTicks, shown, timescale } = track;
  if (shown === 'all') return declaredTicks / timescale;
  const ticks = declaredTicks - Math.max(0, shown.startTick);
  return (shown.durationTicks === 0 ? ticks : Math.min(ticks, shown.durationTicks)) / timescale;
}
