import { expect } from 'chai';
import type { OpenContext } from '../../../shared/openContext.js';
import { storedFrameTimes, type Packaged } from '../liveRun.js';
import { makeClip, runTool } from '../media.js';

/** The end of a stream: in the middle of a continuously encoded file, as if the encoder were stopped during its work. */
export interface StreamEnd {
  readonly bFrames: number;
  readonly framesPerSecond: number;
  readonly seconds: number;
  /** Seconds by which the audio is longer than the video. Null: no audio. */
  readonly audioLongerSeconds: number | null;
}

export function nameOf({ bFrames, framesPerSecond, seconds, audioLongerSeconds }: StreamEnd): string {
  const audio = audioLongerSeconds === null ? 'no audio' : `audio ${audioLongerSeconds} s longer`;
  return `${seconds} s of ${framesPerSecond} frames a second, ${bFrames} B-frames, ${audio}`;
}

/** A file with a keyframe every two seconds, cut without encoding. Frames that the last frame refers to may be missing. */
export async function makeEndingClip(end: StreamEnd): Promise<string> {
  const { bFrames, framesPerSecond, seconds, audioLongerSeconds } = end;
  const keyframes = String(2 * framesPerSecond);
  const complete = await makeClip('mp4', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=${framesPerSecond}:d=18`, '-f', 'lavfi', '-i', 'sine=d=18'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', String(bFrames), '-pix_fmt', 'yuv420p'],
    ...['-g', keyframes, '-keyint_min', keyframes, '-sc_threshold', '0', '-c:a', 'aac', '-ac', '2'],
  ]);
  const audio =
    audioLongerSeconds === null ? [] : ['-t', String(seconds + audioLongerSeconds), '-i', complete, '-map', '1:a'];
  const inputs = ['-t', String(seconds), '-i', complete, ...audio, '-map', '0:v'];
  return makeClip('flv', [...inputs, '-c', 'copy', '-flvflags', 'no_duration_filesize']);
}

/**
 * Checks that the copied rendition has every frame of the clip, that the other rendition has the same end, and that the rows
 * last until the last frame has been presented, in one encoding without a restart.
 */
export async function expectCompleteEnd(
  ctx: OpenContext,
  clip: string,
  { framesPerSecond }: StreamEnd,
  packaged: Omit<Packaged, 'reason'>,
): Promise<void> {
  const { segments, run } = packaged;
  expect(run.renditions?.map(({ name, isCopy }) => [name, isCopy])).to.deep.equal([
    ['180p', true],
    ['120p', false],
  ]);
  expect(new Set(segments.slice(0, -1).map(({ discontinuity }) => discontinuity)).size, 'encodings').to.equal(1);
  const sent = await runTool('ffprobe', [
    ...['-select_streams', 'v', '-show_entries', 'packet=pts_time', '-of', 'csv=p=0', clip],
  ]);
  const copied = await storedFrameTimes(ctx, packaged, '180p');
  const encoded = await storedFrameTimes(ctx, packaged, '120p');
  expect(copied.length, 'frames').to.equal(sent.trim().split('\n').length);
  const frameSeconds = 1 / framesPerSecond;
  expect(encoded.at(-1), 'last frame').to.be.closeTo(copied.at(-1) ?? 0, 1.1 * frameSeconds);
  const listedSeconds = segments.reduce((sum, { durationMicroseconds }) => sum + durationMicroseconds / 1e6, 0);
  const shownSeconds = (copied.at(-1) ?? 0) - (copied[0] ?? 0) + frameSeconds;
  expect(listedSeconds, 'duration').to.be.closeTo(shownSeconds, frameSeconds / 2);
}
