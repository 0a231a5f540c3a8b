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
   * An abort rejects and leaves no unfinished multipart upload. A file that an object store has already received completely
   * remains: another process may have stored it under the same key. Sweeps remove files to which no row refers.
   */
  readonly signal?: AbortSignal;
  /** Maximum size of the body. Required above 70 GB: an object store limits the number of parts, so the parts must be larger. */
  readonly maxBytes?: number;
}

/** Positions of the first and the last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The port of file stores: a folder on disk or an S3 bucket. Keys are relative paths of `[A-Za-z0-9._-]` segments joined by `/`;
 * any other key throws a TypeError, so that client input cannot address anything outside the store. Files appear atomically.
 */
export interface Storage {
  /** Streams a body into a file, in bounded memory. Resolves with its size in bytes when it is stored durably. */
  put(key: string, body: Readable | Buffer, options: PutOptions): Promise<{ bytes: number }>;
  /** Stores a local file, which must not change afterwards. On disk it is linked if possible. */
  putFile(key: string, path: string, options: PutOptions): Promise<{ bytes: number }>;
  /** Stores a stored file under another key as well; neither must change afterwards. Throws NotFoundError. */
  copy(fromKey: string, toKey: string, options: PutOptions): Promise<void>;
  /** Null if the file does not exist. */
  stat(key: string): Promise<StoredFile | null>;
  /** The complete file, or a range of it. Throws NotFoundError, or RangeNotSatisfiableError for a range past the end. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Copies a file to a local path, for ffmpeg. On disk it is linked if possible. Throws NotFoundError. */
  fetch(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /** Path of the file on the local disk, or null in an object store. */
  localPath(key: string): string | null;
  /** A temporary URL of the file, or null on disk. */
  presign(
    key: string,
    options: { expiresSeconds: number; contentType?: string; fileName?: string },
  ): Promise<string | null>;
  /** Missing files are ignored. */
  remove(keys: readonly string[]): Promise<void>;
  /** Removes a folder: `a/b` and `a/b/` are the same; `a/bc` is not affected. */
  removeAll(prefix: string): Promise<void>;
  /**
   * Lists a folder, always in the same order; the empty prefix lists the complete store. `after`: a key in the folder; only
   * later files are listed. An object store needs one request per thousand files.
   */
  list(prefix: string, after?: string): AsyncIterable<StoredFile>;
  /** Removes unfinished files of interrupted puts that started before `before`. Resolves with their number. */
  removeUnfinished(before: Date): Promise<number>;
  /** Writes, reads and removes a small file; throws if any step fails. */
  check(): Promise<void>;
  readonly arrivals: Arrivals;
}

/** A byte range of an arriving file that is stored durably. Each piece begins at the end of the previous one. */
export interface Piece {
  readonly start: number;
  readonly bytes: number;
  /** Name of its object. Empty on disk, where all pieces are parts of one growing file. */
  readonly name: string;
}

export interface AppendOptions {
  /** Position of the first byte of the body in the file. */
  readonly start: number;
  /** Size of the complete file; determines the size of the pieces. */
  readonly totalBytes: number;
  /**
   * Called for each piece in order, when its bytes are durable; the next call waits for the promise. A reported piece is part of
   * the file. If the promise rejects, nothing more is stored.
   */
  readonly stored: (piece: Piece) => Promise<void>;
  readonly signal?: AbortSignal;
}

/**
 * Files that arrive in several bodies, possibly through several processes. The caller keeps the list of pieces in a row, which
 * alone determines the received bytes. Bytes stored after the last piece (by a process that has died) are written again, or
 * removed at the end.
 */
export interface Arrivals {
  /**
   * Appends a body to the pieces, in bounded memory. If the body fails, its received bytes are stored and reported first; then
   * this rejects with the error of the body.
   */
  append(key: string, body: Readable, options: AppendOptions): Promise<void>;
  /** Reads received bytes of an incomplete file. */
  read(key: string, pieces: readonly Piece[], range?: ByteRange): Promise<Readable>;
  /** Turns the pieces into the file, which appears atomically. Idempotent. The objects of the pieces remain until `discard`. */
  complete(key: string, pieces: readonly Piece[], options: { readonly contentType: string }): Promise<void>;
  /** Removes the remains of the pieces; the completed file stays. */
  discard(key: string): Promise<void>;
}

/** End of the last piece. */
export function arrivedBytes(pieces: readonly Piece[]): number {
  const last = pieces.at(-1);
  return last ? last.start + last.bytes : 0;
}
