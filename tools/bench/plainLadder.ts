import { audioBits } from '../../shared/media/audioPackets.js';
import { framesPerKeyframe } from '../../shared/media/grid.js';
import { contentSegmentSeconds } from '../../shared/media/segmentSeconds.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import { runFfmpeg } from './ffmpeg.js';
import { elapsedSeconds } from './figure.js';
import type { BenchContext, Clip } from './benchContext.js';

/** The constant rate factor of every rendition below its maximum bitrate, as in `workers/media/chunkCommand.ts`. */
const constantQuality = 25;

/**
 * Seconds that one plain ffmpeg process needs for the ladder of a plan: decoded once, split, scaled, encoded with the same preset,
 * maximum bit rates and keyframes, as HLS in fMP4, with one separate audio rendition, on all cores.
 */
export async function encodeLadder(
  bench: BenchContext,
  clip: Clip,
  { plan, preset }: { plan: ContentPlan; preset: string },
): Promise<number> {
  const folder = await bench.folder();
  return elapsedSeconds(() => runFfmpeg(bench, folder, ladderCommand(clip, plan, preset)));
}

function ladderCommand(clip: Clip, plan: ContentPlan, preset: string): string[] {
  const { renditions, frameRate } = plan;
  const keyframes = framesPerKeyframe(frameRate);
  const splits = renditions.map((_, position) => `[full${position}]`).join('');
  const scales = renditions.map(
    ({ width, height }, position) => `[full${position}]scale=${width}:${height},format=yuv420p[video${position}]`,
  );
  const outputs = renditions.flatMap((rendition, position) => [
    ...['-map', `[video${position}]`, '-c:v', 'libx264', '-preset', preset, '-profile:v', 'high'],
    ...['-x264-params', 'aq-mode=2'],
    ...`-crf ${constantQuality} -maxrate ${rendition.maximumBits} -bufsize ${rendition.bufferBits}`.split(' '),
    ...`-g ${keyframes} -keyint_min ${keyframes} -sc_threshold 0`.split(' '),
    ...segmented(rendition.name),
  ]);
  const audio = [
    ...['-map', '0:a', '-c:a', 'aac', '-aac_coder', 'fast', '-b:a', String(audioBits), '-ar', '48000', '-ac', '2'],
    ...segmented('audio'),
  ];
  const filter = [`[0:v]split=${renditions.length}${splits}`, ...scales].join(';');
  return ['-i', clip.path, '-filter_complex', filter, ...outputs, ...audio];
}

function segmented(name: string): string[] {
  return [
    ...['-f', 'hls', '-hls_time', String(contentSegmentSeconds), '-hls_playlist_type', 'vod'],
    ...['-hls_segment_type', 'fmp4', '-hls_fmp4_init_filename', `${name}-init.mp4`],
    ...['-hls_segment_filename', `${name}-%05d.m4s`, `${name}.m3u8`],
  ];
}
