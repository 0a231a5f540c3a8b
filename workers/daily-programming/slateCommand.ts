import { join } from 'node:path';
import { slateLengthsSeconds, slateLoopSegments } from '../../shared/cast/playout/index.js';
import type { FrameRate } from '../../shared/media/frameRate.js';
import {
  copiedAudio,
  segmentMuxing,
  startingAt,
  videoEncoding,
  fileAddress,
  openingOptions,
  type MediaCommand,
} from '../media/index.js';

/** A low rate suffices for a still image. Half a second is a whole number of frames. */
export const slateFrameRate: FrameRate = [4, 1];
/** A fast preset suffices for identical frames. */
const preset = 'superfast';
const bits = { maximumBits: 3_000_000, bufferBits: 4_200_000 };
/** Shorter than the shortest segment, so that each keyframe begins a segment. */
const muxedSeconds = 0.4;

/** The first frame of each segment, then the end frame: the segments of the loop, then one of each shorter length. */
export function slateFrames(): number[] {
  const [loopSeconds, ...shorter] = slateLengthsSeconds;
  const lengths = [...Array.from({ length: slateLoopSegments }, () => loopSeconds), ...shorter];
  const frames = [0];
  for (const length of lengths) frames.push((frames.at(-1) ?? 0) + length * slateFrameRate[0]);
  return frames;
}

/**
 * The ffmpeg command that encodes an image (`slate.png`) for the duration of all segments of a slate, with the audio of
 * `audio.aac`. The image is decoded once. No frame refers to a later one, so that the audio of each segment begins with its first
 * frame.
 */
export function slateCommand(folder: string, threads: number): MediaCommand {
  const starts = slateFrames();
  const frameCount = starts.at(-1) ?? 0;
  const keyframes = starts.slice(0, -1).map((frame) => `eq(n,${frame})`);
  const [rate, scale] = slateFrameRate;
  const steps = [
    'scale=out_color_matrix=bt709:out_range=tv',
    'format=yuv420p',
    'setsar=1',
    `loop=loop=${frameCount - 1}:size=1`,
    `settb=${scale}/${rate}`,
    'setpts=N',
    `fps=fps=${rate}/${scale}:start_time=0`,
  ];
  return {
    folder,
    inputs: [
      {
        path: fileAddress(join(folder, 'slate.png')),
        options: ['-protocol_whitelist', 'file', '-f', 'image2', '-pattern_type', 'none', '-framerate', String(rate)],
      },
      { path: fileAddress(join(folder, 'audio.aac')), options: openingOptions('aac') },
    ],
    filter: `[0:v]${steps.join(',')}[video]`,
    outputs: [
      {
        path: 'list.m3u8',
        options: [
          ...['-map', '[video]', '-map', '1:0'],
          ...videoEncoding(bits, keyframes.join('+'), { preset, threads }),
          ...['-bf', '0', '-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709'],
          ...copiedAudio,
          ...startingAt(0),
          ...segmentMuxing(muxedSeconds),
          ...['-hls_segment_filename', 'slate%d.m4s'],
        ],
      },
    ],
  };
}
