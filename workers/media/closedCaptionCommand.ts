import { fileAddress, openingOptions } from './demuxers.js';
import type { ProbedSource, VideoStream } from './probedSource.js';
import type { MediaCommand } from './runner.js';

/** Types of the units that may contain closed captions, by codec: SEI, or user data in MPEG-2. */
const unitTypes: Readonly<Record<string, number>> = { h264: 6, hevc: 39, mpeg2video: 178 };
const fragmentMicroseconds = 1_000_000;
/** Maximum fragment size. ffmpeg keeps a fragment in memory, and the timestamps of a malicious file may never end it. */
const fragmentBytes = 4 * 1024 ** 2;
const muxing = 'empty_moov+default_base_moof+skip_trailer+frag_discont';

/** Whether a source may have captions of any kind. Closed captions are found only by reading the complete video. */
export function mayHaveCaptions({ video, subtitles }: ProbedSource): boolean {
  return subtitles.length > 0 || (video !== null && mayHaveClosedCaptions(video));
}

export function mayHaveClosedCaptions({ codec }: Pick<VideoStream, 'codec'>): boolean {
  return unitTypes[codec] !== undefined;
}

/**
 * Writes the caption units of a video to standard output, as fragmented MP4 with the timestamps of the source. Without decoding,
 * this is as fast as copying the file.
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
