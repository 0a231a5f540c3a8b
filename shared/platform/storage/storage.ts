import type { Readable } from 'node:stream';

/** A stored file without its content. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Strong validator, in quotes. */
  readonly etag: string;
}

export interface PutOptions {
  readonly contentType: string;
  /**
   * Where it aborts, this rejects, and no unfinished multipart upload is left. A file that an object store has got whole by then
   * stays: it may be one that another process has stored under the same key. Sweeps remove what no row refers to.
   */
  readonly signal?: AbortSignal;
  /** The body is not longer. Needed above 70 GB: an object store takes a limited number of parts, which are larger then. */
  readonly maxBytes?: number;
}

/** Positions of the first and the last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The port of file stores: a folder on disk or an S3 bucket. Keys are relative paths of `[A-Za-z0-9._-]` segments joined
 * by `/`; any other key throws a TypeError, so no name that a client sends leads out of the store. A file appears whole
 * or not at all.
 */
export interface Storage {
  /** Streams a body into a file, in bounded memory. Resolves with its size in bytes when it is stored durably. */
  put(key: string, body: Readable | Buffer, options: PutOptions): Promise<{ bytes: number }>;
  /** Stores a file of this machine, which must not change afterwards. On disk it is linked where possible. */
  putFile(key: string, path: string, options: PutOptions): Promise<{ bytes: number }>;
  /** Stores a stored file under another key as well; neither must change afterwards. Throws NotFoundError. */
  copy(fromKey: string, toKey: string, options: PutOptions): Promise<void>;
  /** Null where there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** The whole file, or a range of it. Throws NotFoundError, or RangeNotSatisfiableError for a range past the end. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Copies a file to a local path, for ffmpeg. A file on disk is linked where possible. Throws NotFoundError. */
  fetch(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /** Path of the file on the local disk, or null in an object store. */
  localPath(key: string): string | null;
  /** A temporary URL of the file, or null on disk. */
  presign(
    key: string,
    options: { expiresSeconds: number; contentType?: string; fileName?: string },
  ): Promise<string | null>;
  /** A missing file is no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes a folder: `a/b` and `a/b/` are the same, and `a/bc` stays. */
  removeAll(prefix: string): Promise<void>;
  /**
   * Lists a folder, always in the same order; the empty prefix lists the whole store. `after`: a key in the folder; lists the files
   * behind it. An object store is asked once for each thousand files.
   */
  list(prefix: string, after?: string): AsyncIterable<StoredFile>;
  /** Removes what interrupted puts have left that started before `before`. Resolves with how many. */
  removeUnfinished(before: Date): Promise<number>;
  /** Writes, reads and removes a small file; throws where any of that fails. */
  check(): Promise<void>;
  readonly arrivals: Arrivals;
}

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
