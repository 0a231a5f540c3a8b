import { fileAddress, openingOptions } from './demuxers.js';
import type { MediaCommand } from './runner.js';

/** Streams of subtitles of a source, each to be written as WebVTT. */
export interface SubtitleSource {
  readonly folder: string;
  readonly path: string;
  readonly demuxer: string;
  readonly streams: readonly number[];
}

/** Of the subtitles in a stream, in the folder of the command. */
export function subtitleFile(stream: number): string {
  return `subtitles-${stream}.vtt`;
}

/** Writes all streams in one pass over the source. Their times are those of the source (`-copyts`). */
export function subtitleCommand({ folder, path, demuxer, streams }: SubtitleSource): MediaCommand {
  return {
    folder,
    inputs: [{ path: fileAddress(path), options: ['-copyts', ...openingOptions(demuxer)] }],
    outputs: streams.map((stream) => ({
      path: subtitleFile(stream),
      options: ['-map', `0:${stream}`, '-c:s', 'webvtt', '-f', 'webvtt'],
    })),
  };
}
