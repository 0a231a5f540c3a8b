import { audioSampleRate, samplesPerPacket, audioBits } from '../../../shared/media/audioPackets.js';
import {
  mixTo,
  openingOptions,
  colourOptions,
  type MediaSource,
  type AudioStream,
  type MediaCommand,
  type MediaFile,
} from '../../media/index.js';
import type { CopiedAudio } from './copyable.js';
import type { CopiedStreams } from './readPackets.js';

/** A fragment begins at each keyframe. Timestamps are unchanged, and there is no edit list. */
const fragments = '+empty_moov+default_base_moof+frag_keyframe+skip_trailer+frag_discont';

/** In a transport stream, the audio configuration is in the packets, so `moov` is written after the first of them. */
function fragmentsOf(demuxer: string): string {
  return demuxer === 'mpegts' ? `${fragments}+delay_moov` : fragments;
}

/**
 * The ffmpeg command that writes a source as one fragmented MP4 to standard output: the video unchanged, and AAC audio. The first
 * frame is presented at 0. For video without colour tags, the initialisation segment contains the assumed colours.
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
  const { folder, source, streams, audio } = options;
  const { demuxer, video } = streams;
  const input: MediaFile = {
    path: source.address,
    options: [
      ...(options.threads > 0 ? ['-threads', String(options.threads)] : []),
      // A copy would contain an error of the source; a decoder conceals damaged audio.
      ...(audio === 'encoded' ? ['-reinit_filter', '0'] : ['-xerror']),
      ...['-copyts', '-itsoffset', (-options.startSeconds).toFixed(6)],
      ...openingOptions(demuxer, source),
    ],
  };
  return {
    folder,
    inputs: [input],
    ...(audio === 'copied' ? {} : { filter: audioFilter(streams.audio, options.durationSeconds) }),
    outputs: [
      {
        path: 'pipe:1',
        options: [
          ...['-map', `0:${video.index}`, '-c:v', 'copy', ...colourOptions(video.colours)],
          ...(audio === 'copied' ? copying(streams) : ['-map', '[audio]', ...encoding]),
          ...['-map_metadata', '-1', '-map_chapters', '-1', '-max_muxing_queue_size', '4096'],
          ...['-avoid_negative_ts', 'disabled', '-max_interleave_delta', '0'],
          ...['-use_editlist', '0', '-write_btrt', '0', '-movflags', fragmentsOf(demuxer), '-f', 'mp4'],
        ],
      },
    ],
  };
}

/** Packets before the first frame are left out, because a content has no negative times. */
function copying({ demuxer, audio }: CopiedStreams): string[] {
  const configured = demuxer === 'mpegts' ? ['-bsf:a', 'aac_adtstoasc'] : [];
  return ['-map', `0:${audio?.index ?? 0}`, '-c:a', 'copy', ...configured, '-copypriorss:a', '0'];
}

const encoding = [
  ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', String(audioBits)],
  ...['-ar', String(audioSampleRate), '-ac', '2'],
];

/**
 * Audio from the first frame to the end of the video, with silence in gaps, before a late start and after an early end. The encoder
 * has a priming delay of one packet; as many samples are trimmed, so that its first packet plays with the first frame.
 */
function audioFilter(audio: AudioStream | null, seconds: number): string {
  const input = audio
    ? `[0:${audio.index}]${[...mixTo(2, audio), ''].join(',')}aresample=${audioSampleRate}:async=1:min_hard_comp=0.1:first_pts=0,apad`
    : `anullsrc=r=${audioSampleRate}:cl=stereo`;
  return [
    input,
    'aformat=sample_fmts=fltp:channel_layouts=stereo',
    `atrim=start_sample=${samplesPerPacket}:end=${seconds.toFixed(6)}[audio]`,
  ].join(',');
}
