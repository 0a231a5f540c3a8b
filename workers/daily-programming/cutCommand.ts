import { join } from 'node:path';
import { framesPerKeyframe } from '../../shared/media/grid.js';
import { secondsOfFrames } from '../../shared/media/frameRate.js';
import { audioSampleRate, samplesPerPacket } from '../../shared/media/audioPackets.js';
import { limitsFor } from '../../shared/content/ladder.js';
import {
  copiedAudio,
  segmentMuxing,
  startingAt,
  videoEncoding,
  fileAddress,
  openingOptions,
  type ChunkSettings,
  type MediaCommand,
} from '../media/index.js';
import { joinedName, type CutSource } from './cutSource.js';

/** Longer than any cut: the muxer writes one segment, regardless of keyframes. */
const oneSegmentSeconds = 3_600;

/** Extracts the audio packets of a file with segments, without encoding. They are the same in every rendition. */
export function audioCommand(folder: string, path: string): MediaCommand {
  return {
    folder,
    inputs: [{ path: fileAddress(path), options: openingOptions('mov') }],
    outputs: [{ path: 'audio.aac', options: ['-map', '0:a:0', '-c', 'copy', '-map_metadata', '-1', '-f', 'adts'] }],
  };
}

/**
 * The ffmpeg command that encodes a cut in every rendition. It decodes the joined segments, encodes the frames of the cut with the
 * bit rates of the rendition, and copies the audio packets of `cut.aac`. Frames and packets keep the timestamps of the content, so
 * that the next stored segment continues seamlessly.
 */
export function cutCommand(
  folder: string,
  { grid: { frameRate }, renditions, firstFrame: joinedFrame }: CutSource,
  { firstFrame, endFrame, firstPacket }: { firstFrame: number; endFrame: number; firstPacket: number },
  settings: Pick<ChunkSettings, 'preset' | 'threads' | 'maxPixels'>,
): MediaCommand {
  const [rate, scale] = frameRate;
  const start = secondsOfFrames(firstFrame, frameRate);
  const lead = (firstPacket * samplesPerPacket) / audioSampleRate - start;
  const threads = settings.threads > 0 ? ['-threads', String(settings.threads)] : [];
  const frames = `trim=start_frame=${firstFrame - joinedFrame}:end_frame=${endFrame - joinedFrame}`;
  return {
    folder,
    inputs: [
      ...renditions.map(({ name }) => ({
        path: fileAddress(join(folder, name, joinedName)),
        options: [...threads, '-max_pixels', String(settings.maxPixels), ...openingOptions('mov')],
      })),
      {
        path: fileAddress(join(folder, 'cut.aac')),
        options: ['-itsoffset', lead.toFixed(6), ...openingOptions('aac')],
      },
    ],
    filter: renditions
      .map(
        ({ width, height }, index) =>
          `[${index}:v:0]${frames},settb=${scale}/${rate},setpts=N,fps=fps=${rate}/${scale}:start_time=0,` +
          `scale=${width}:${height},setsar=1,format=yuv420p[video${index}]`,
      )
      .join(';'),
    outputs: renditions.map((rendition, index) => ({
      path: `${rendition.name}/list.m3u8`,
      options: [
        ...['-map', `[video${index}]`, '-map', `${renditions.length}:0`],
        ...videoEncoding(limitsFor(rendition.videoBits), `not(mod(n,${framesPerKeyframe(frameRate)}))`, settings),
        ...copiedAudio,
        ...startingAt(start),
        ...segmentMuxing(oneSegmentSeconds),
        ...['-hls_segment_filename', `${rendition.name}/cut%d.m4s`],
      ],
    })),
  };
}
