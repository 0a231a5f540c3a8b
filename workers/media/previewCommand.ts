import type { ContentPlan } from '../../shared/content/plan.js';
import { segmenting } from './chunkCommand.js';
import { openingOptions } from './demuxers.js';
import type { MediaCommand } from './runner.js';

/**
 * Cuts the rest of a preview out of the segments that hold its end, by copy. Inputs are `<rung>/joined.mp4`; frames and
 * packets go to a file each, because a tool that has enough of one stream ends the whole output.
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

/** Puts what `previewCutCommand` has cut into one segment for each rung. */
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
