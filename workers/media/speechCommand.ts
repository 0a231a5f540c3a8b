import { mixTo, type SourceChannels } from './channelMix.js';
import { fileAddress, openingOptions } from './demuxers.js';
import type { MediaCommand } from './runner.js';

/** Speech recognition requires 16 kHz, one channel, 16 bits. */
const sampleRate = 16_000;

/** The audio of a source to be transcribed. */
export interface SpeechSource {
  readonly folder: string;
  readonly path: string;
  readonly demuxer: string;
  readonly stream: number;
  readonly channels: SourceChannels;
  /** The source time at which the content begins. */
  readonly startSeconds: number;
}

/**
 * Writes the audio of a content as one WAV file, or in pieces of `pieceSeconds`: `name` then contains `%03d`. Gaps become silence.
 */
export function speechCommand(
  { folder, path, demuxer, stream, channels, startSeconds }: SpeechSource,
  name: string,
  pieceSeconds?: number,
): MediaCommand {
  const steps = [
    `asetpts=PTS-${startSeconds.toFixed(6)}/TB`,
    ...mixTo(1, channels),
    `aresample=${sampleRate}:async=1:first_pts=0`,
    'aformat=sample_fmts=s16:channel_layouts=mono',
  ];
  const pieces = pieceSeconds === undefined ? ['-f', 'wav'] : ['-f', 'segment', '-segment_time', String(pieceSeconds)];
  return {
    folder,
    inputs: [{ path: fileAddress(path), options: ['-copyts', ...openingOptions(demuxer)] }],
    filter: `[0:${stream}]${steps.join(',')}[speech]`,
    outputs: [{ path: name, options: ['-map', '[speech]', '-map_metadata', '-1', '-c:a', 'pcm_s16le', ...pieces] }],
  };
}
