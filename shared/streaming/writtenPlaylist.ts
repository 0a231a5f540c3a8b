import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A playlist in the form in which it is sent. */
export interface WrittenPlaylist {
  /** ASCII. */
  readonly text: string;
  /** Null if the text is too short to be compressed. */
  readonly gzipped: Promise<Buffer> | null;
}

const gzippedFromBytes = 2048;
const compress = promisify(gzip);

/** Compresses a playlist once for all viewers. */
export function writtenPlaylist(text: string): WrittenPlaylist {
  return { text, gzipped: text.length < gzippedFromBytes ? null : compress(text) };
}
