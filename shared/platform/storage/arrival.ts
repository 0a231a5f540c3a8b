import type { Readable } from 'node:stream';
import type { ByteRange } from './byteRange.js';

/** A stretch of an arriving file that is stored durably. Each begins where the one before ends. */
export interface Piece {
  readonly start: number;
  readonly bytes: number;
  /** Names its object. Empty on disk, where all pieces are one file that grows. */
  readonly name: string;
}

export interface AppendOptions {
  /** Position of the first byte of the body in the file. */
  readonly start: number;
  /** Of the whole file; decides how large a piece is. */
  readonly totalBytes: number;
  /**
   * Called for each piece in turn, once its bytes are durable; the next call waits for the promise. What was told is part of the file.
   * Where it rejects, nothing more is stored.
   */
  readonly stored: (piece: Piece) => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Files that arrive in several bodies, perhaps through several processes. The caller keeps the list of pieces, in a row: it alone
 * says what has arrived. What is stored beyond it (a process has died) is written again, or removed at the end.
 */
export interface Arrivals {
  /**
   * Stores a body behind the pieces so far, in bounded memory. Where the body fails, what has arrived of it is stored and told first;
   * then this rejects with the error of the body.
   */
  append(key: string, body: Readable, options: AppendOptions): Promise<void>;
  /** A range of what has arrived, as a file's: while the file is not complete. */
  read(key: string, pieces: readonly Piece[], range?: ByteRange): Promise<Readable>;
  /**
   * Makes the pieces the file of the key, which appears as a whole. May be repeated, also after it has succeeded. Objects of pieces
   * stay until `discard`.
   */
  complete(key: string, pieces: readonly Piece[], options: { readonly contentType: string }): Promise<void>;
  /** Removes what is left of the pieces; the file of the key stays. */
  discard(key: string): Promise<void>;
}

/** Where the pieces end. */
export function arrivedBytes(pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  return last ? last.start + last.bytes : 0;
}
