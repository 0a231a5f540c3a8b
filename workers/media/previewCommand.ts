import type { ContentPlan } from '../../shared/content/plan.js';
import { segmenting } from './chunkCommand.js';
import { openingOptions } from './demuxers.js';
import type { MediaCommand } from './runner.js';

/**
 * Cuts the last part of a preview out of the segments that contain its end, without encoding. Inputs are
 * `<rendition>/joined.mp4`. Video and audio go to separate files, because ffmpeg ends an output as soon as it has enough
 * of one stream.
 */
export function previewCutCommand(
  plan: ContentPlan,
  folder: string,
  tail: { frames: number; packets: number },
): MediaCommand {
  const common = ['-c', 'copy', '-map_metadata', '-1', '-avoid_negative_ts', 'disabled', '-f', 'nut'];
  return {
    folder,
    inputs: plan.renditions.map((rendition) => ({
      path: `file:${rendition.name}/joined.mp4`,
      options: ['-copyts', ...openingOptions('mov')],
    })),
    outputs: plan.renditions.flatMap((rendition, index) => [
      {
        path: `${rendition.name}/tail/video.nut`,
        options: ['-map', `${index}:v:0`, '-frames:v', String(tail.frames), ...common],
      },
      {
        path: `${rendition.name}/tail/audio.nut`,
        options: ['-map', `${index}:a:0`, '-frames:a', String(tail.packets), ...common],
      },
    ]),
  };
}

/** Combines the output of `previewCutCommand` to one segment per rendition. */
export function previewTailCommand(plan: ContentPlan, folder: string, tail: { segment: number }): MediaCommand {
  return {
    folder,
    inputs: plan.renditions.flatMap((rendition) =>
      ['video', 'audio'].map((kind) => ({
        path: `file:${rendition.name}/tail/${kind}.nut`,
        options: ['-copyts', ...openingOptions('nut')],
      })),
    ),
    outputs: plan.renditions.map((rendition, index) => ({
      path: `${rendition.name}/tail/list.m3u8`,
      options: [
        '-map',
        `${2 * index}:0`,
        '-map',
        `${2 * index + 1}:0`,
        '-c',
        'copy',
        '-map_metadata',
        '-1',
        '-avoid_negative_ts',
        'disabled',
        ...segmenting(plan, tail.segment, 1),
        '-hls_segment_filename',
        `${rendition.name}/tail/%05d.m4s`,
      ],
    })),
  };
}
