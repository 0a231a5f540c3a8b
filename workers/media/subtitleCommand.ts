import { fileAddress, openingOptions } from './demuxers.js';
import type { SubtitleStream } from './probedSource.js';
import type { MediaCommand } from './runner.js';

/** Subtitle streams of a source, each to be copied to a separate file. */
export interface SubtitleSource {
  readonly folder: string;
  readonly path: string;
  readonly demuxer: string;
  readonly streams: readonly SubtitleStream[];
  /** Approximate maximum size of a file; writing stops at this size. */
  readonly maxBytes: number;
}

/** MP4 text cannot be stored in Matroska, which supports all other formats. */
const formatOf = ({ codec }: SubtitleStream): string => (codec === 'mov_text' ? 'mov' : 'matroska');

/** The copy of a stream, in the folder of the command. */
export const copiedSubtitles = ({ index }: SubtitleStream): string => `subtitles-${index}`;

/** The WebVTT file of a copied stream, in the same folder. */
export const webVttFile = ({ index }: SubtitleStream): string => `subtitles-${index}.vtt`;

/**
 * Copies all streams in one pass over the source, without decoding, so that an undecodable or slow stream does not affect the
 * others. Keeps the timestamps of the source (`-copyts`).
 */
export function copySubtitlesCommand({ folder, path, demuxer, streams, maxBytes }: SubtitleSource): MediaCommand {
  return {
    folder,
    inputs: [{ path: fileAddress(path), options: ['-copyts', ...openingOptions(demuxer)] }],
    outputs: streams.map((stream) => ({
      path: copiedSubtitles(stream),
      options: [
        ...['-map', `0:${stream.index}`, '-c', 'copy', '-avoid_negative_ts', 'disabled'],
        ...['-fs', String(maxBytes), '-f', formatOf(stream)],
      ],
    })),
  };
}

/** Options of ffprobe that print the size of each packet of a copied stream, in bytes. */
export function packetSizes(stream: SubtitleStream, path: string): string[] {
  return [...openingOptions(formatOf(stream)), '-show_entries', 'packet=size', '-of', 'csv=p=0', fileAddress(path)];
}

/** Converts a copied stream to WebVTT, of at most about `maxBytes`. */
export function webVttCommand(folder: string, stream: SubtitleStream, maxBytes: number): MediaCommand {
  const options = ['-copyts', ...openingOptions(formatOf(stream))];
  return {
    folder,
    inputs: [{ path: copiedSubtitles(stream), options }],
    outputs: [{ path: webVttFile(stream), options: ['-c:s', 'webvtt', '-fs', String(maxBytes), '-f', 'webvtt'] }],
  };
}
