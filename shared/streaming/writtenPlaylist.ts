import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** A playlist as it is sent. */
export interface WrittenPlaylist {
  /** ASCII. */
  readonly text: string;
  /** Null where compression is not worth it. */
  readonly gzipped: Promise<Buffer> | null;
}

const gzippedFromBytes = 2048;
const compress = promisify(gzip);

/** A playlist that is compressed once, for all viewers. */
export function writtenPlaylist(text: string): WrittenPlaylist {
  return { text, gzipped: text.length < gzippedFromBytes ? null : compress(text) };
}
