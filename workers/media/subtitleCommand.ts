import { fileAddress, openingOptions } from './demuxers.js';
import type { SubtitleStream } from './probedSource.js';
import type { MediaCommand } from './runner.js';

/** Streams of subtitles of a source, each to be copied into a file of its own. */
export interface SubtitleSource {
  readonly folder: string;
  readonly path: string;
  readonly demuxer: string;
  readonly streams: readonly SubtitleStream[];
  /** A file becomes about so large at most; then nothing more is written to it. */
  readonly maxBytes: number;
}

/** Text of MP4 cannot be stored in Matroska, which takes everything else. */
const formatOf = ({ codec }: SubtitleStream): string => (codec === 'mov_text' ? 'mov' : 'matroska');

/** The copy of a stream, in the folder of the command. */
export const copiedSubtitles = ({ index }: SubtitleStream): string => `subtitles-${index}`;

/** What becomes of a copied stream, in the same folder. */
export const webVttFile = ({ index }: SubtitleStream): string => `subtitles-${index}.vtt`;

/**
 * Copies all streams in one pass over the source, without decoding them: so one that cannot be decoded, or only slowly, costs the
 * others nothing. Their times are those of the source (`-copyts`).
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

/** Writes a copied stream as WebVTT, of about so many bytes at most. */
export function webVttCommand(folder: string, stream: SubtitleStream, maxBytes: number): MediaCommand {
  const options = ['-copyts', ...openingOptions(formatOf(stream))];
  return {
    folder,
    inputs: [{ path: copiedSubtitles(stream), options }],
    outputs: [{ path: webVttFile(stream), options: ['-c:s', 'webvtt', '-fs', String(maxBytes), '-f', 'webvtt'] }],
  };
}
