import { audioSampleRate } from '../../../shared/content/chunkPlan.js';
import { audioBits } from '../../../shared/content/ladder.js';
import { timelineBaseSeconds } from '../../media/chunkCommand.js';
import { openingOptions, type MediaSource } from '../../media/demuxers.js';
import type { MediaCommand, MediaFile } from '../../media/runner.js';
import type { CopiedAudio } from './copyable.js';
import type { CopiedStreams } from './readPackets.js';

/** A new fragment begins at each keyframe. Timestamps stay as they are, and there is no edit list. */
const fragments = '+empty_moov+default_base_moof+frag_keyframe+skip_trailer+frag_discont';

/**
 * The ffmpeg process that writes a source as one fragmented MP4 to its standard output: the video as it is, and AAC. The first frame is shown at `timelineBaseSeconds`, as in every content.
 */
export function copyCommand(options: {
  readonly folder: string;
  readonly source: MediaSource;
  readonly streams: CopiedStreams;
  readonly audio: CopiedAudio;
  /** Time of the first frame in the source. */
  readonly startSeconds: number;
  readonly durationSeconds: number;
  readonly threads: number;
}): MediaCommand {
  const { folder, source, streams, audio, durationSeconds } = options;
  const { demuxer, video } = streams;
  const seconds = durationSeconds.toFixed(6);
  const input: MediaFile = {
    path: source.address,
    options: [
      ...(options.threads > 0 ? ['-threads', String(options.threads)] : []),
      // An error is one that the copy would contain. Of damaged audio, the decoder makes what it can.
      ...(audio === 'encoded' ? ['-reinit_filter', '0'] : ['-xerror']),
      ...['-copyts', '-itsoffset', (-options.startSeconds).toFixed(6)],
      ...openingOptions(demuxer, source.protocols),
    ],
  };
  const silence: MediaFile = {
    path: `anullsrc=r=${audioSampleRate}:cl=stereo`,
    options: ['-f', 'lavfi', '-t', seconds],
  };
  return {
    folder,
    inputs: audio === 'silence' ? [input, silence] : [input],
    ...(audio === 'encoded' && streams.audio
      ? { filter: `[0:${streams.audio.index}]${audioFilter(seconds)}[audio]` }
      : {}),
    outputs: [
      {
        path: 'pipe:1',
        options: [
          ...['-map', `0:${video.index}`, '-map', audioMap(audio, streams), '-c:v', 'copy'],
          ...(audio === 'copied' ? ['-c:a', 'copy'] : encoding),
          ...['-map_metadata', '-1', '-map_chapters', '-1', '-max_muxing_queue_size', '4096'],
          ...['-output_ts_offset', String(timelineBaseSeconds), '-avoid_negative_ts', 'disabled'],
          ...['-use_editlist', '0', '-write_btrt', '0', '-movflags', fragments, '-f', 'mp4'],
        ],
      },
    ],
  };
}

const encoding = [
  ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', String(audioBits)],
  ...['-ar', String(audioSampleRate), '-ac', '2'],
];

/** From the first frame to the end of the video: gaps, a late start and an early end are silent. */
function audioFilter(seconds: string): string {
  return [
    `aresample=${audioSampleRate}:async=1:min_hard_comp=0.1:first_pts=0`,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    `apad,atrim=end=${seconds}`,
  ].join(',');
}

function audioMap(audio: CopiedAudio, streams: CopiedStreams): string {
  if (audio === 'encoded') return '[audio]';
  return audio === 'silence' ? '1:0' : `0:${streams.audio?.index ?? 0}`;
}
