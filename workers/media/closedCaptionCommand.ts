import { fileAddress, openingOptions } from './demuxers.js';
import type { ProbedSource, VideoStream } from './probedSource.js';
import type { MediaCommand } from './runner.js';

/** The units of a video that may have closed captions, by their types: SEI; of MPEG-2, user data. */
const unitTypes: Readonly<Record<string, number>> = { h264: 6, hevc: 39, mpeg2video: 178 };
const fragmentMicroseconds = 1_000_000;
/** ffmpeg keeps a fragment in memory. The times of a hostile file may never end one. */
const fragmentBytes = 4 * 1024 ** 2;
const muxing = 'empty_moov+default_base_moof+skip_trailer+frag_discont';

/** Whether a source may have captions of any kind. Only reading all of its video finds out about closed ones. */
export function mayHaveCaptions({ video, subtitles }: ProbedSource): boolean {
  return subtitles.length > 0 || (video !== null && mayHaveClosedCaptions(video));
}

export function mayHaveClosedCaptions({ codec }: Pick<VideoStream, 'codec'>): boolean {
  return unitTypes[codec] !== undefined;
}

/**
 * Writes what the frames of a video have besides their pictures to standard output, as fragmented MP4 with the times of the source.
 * Nothing is decoded: reading a film takes as long as copying it.
 */
export function closedCaptionCommand({
  folder,
  path,
  demuxer,
  video: { index, codec },
}: {
  readonly folder: string;
  readonly path: string;
  readonly demuxer: string;
  readonly video: VideoStream;
}): MediaCommand {
  return {
    folder,
    inputs: [{ path: fileAddress(path), options: ['-copyts', ...openingOptions(demuxer)] }],
    outputs: [
      {
        path: 'pipe:1',
        options: [
          ...['-map', `0:${index}`, '-c', 'copy', '-bsf:v', `filter_units=pass_types=${unitTypes[codec] ?? 0}`],
          ...['-avoid_negative_ts', 'disabled', '-use_editlist', '0', '-write_btrt', '0', '-movflags', muxing],
          ...['-frag_duration', String(fragmentMicroseconds), '-frag_size', String(fragmentBytes), '-f', 'mp4'],
        ],
      },
    ],
  };
}
