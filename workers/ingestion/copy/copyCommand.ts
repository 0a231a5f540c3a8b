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

/** A new fragment begins at each keyframe. Timestamps stay as they are, and there is no edit list. */
const fragments = '+empty_moov+default_base_moof+frag_keyframe+skip_trailer+frag_discont';

/** In a transport stream, the configuration of the audio is in its packets: the beginning of the file is written with the first ones. */
function fragmentsOf(demuxer: string): string {
  return demuxer === 'mpegts' ? `${fragments}+delay_moov` : fragments;
}

/**
 * The ffmpeg process that writes a source as one fragmented MP4 to its standard output: the video as it is, and AAC. The first
 * frame is shown at 0. The colours of video without tags are in the initialisation segment.
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
      // An error is one that the copy would contain. Of damaged audio, the decoder makes what it can.
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

/** Packets that begin before the first frame are left out: no time in a content is negative. */
function copying({ demuxer, audio }: CopiedStreams): string[] {
  const configured = demuxer === 'mpegts' ? ['-bsf:a', 'aac_adtstoasc'] : [];
  return ['-map', `0:${audio?.index ?? 0}`, '-c:a', 'copy', ...configured, '-copypriorss:a', '0'];
}

const encoding = [
  ...['-c:a', 'aac', '-profile:a', 'aac_low', '-b:a', String(audioBits)],
  ...['-ar', String(audioSampleRate), '-ac', '2'],
];

/**
 * From the first frame to the end of the video: gaps, a late start and an early end are silent. The encoder begins a packet
 * early; the same number of samples is left out, so that its first packet is played with the first frame.
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
