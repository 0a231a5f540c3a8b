import type { Readable } from 'node:stream';

/** What is known of a stored file without reading it. */
export interface StoredFile {
  readonly key: string;
  readonly bytes: number;
  readonly modifiedAt: Date;
  /** Strong validator, with its quotes. */
  readonly etag: string;
}

export interface PutOptions {
  readonly contentType: string;
  /** Aborting leaves no file and no unfinished multipart upload behind. */
  readonly signal?: AbortSignal;
}

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Where files live (docs/architecture.md): on disk or in S3. Keys are relative paths of `[A-Za-z0-9._-]` segments joined by `/`;
 * any other key is refused, so no name a client sends can leave the store.
 * A file appears whole or not at all.
 */
export interface Storage {
  /** Streams a body into a file, in flat memory. Resolves with its size when it is durable. */
  put(key: string, body: Readable | Buffer, options: PutOptions): Promise<{ bytes: number }>;
  /** Null where there is no such file. */
  stat(key: string): Promise<StoredFile | null>;
  /** The whole file, or a range of it. Throws NotFoundError. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Copies a file to the machine's disk, for ffmpeg; a hard link or nothing at all where it is on disk already. */
  fetch(key: string, path: string, signal?: AbortSignal): Promise<void>;
  /** Where the file lies on this machine's disk, or null in an object store. */
  localPath(key: string): string | null;
  /** An address that serves the file for a while, or null where the store has none. */
  presign(
    key: string,
    options: { expiresSeconds: number; contentType?: string; fileName?: string },
  ): Promise<string | null>;
  /** Missing files are no error. */
  remove(keys: readonly string[]): Promise<void>;
  /** Everything in a folder: `a/b` and `a/b/` are the same, and neither covers `a/bc`. */
  removeAll(prefix: string): Promise<void>;
  /** Everything in a folder, in the order of keys; the empty prefix lists the whole store. */
  list(prefix: string): AsyncIterable<StoredFile>;
  /** Takes away what puts have left that a crash cut off, if begun before `before`. Resolves with how many. */
  removeUnfinished(before: Date): Promise<number>;
  /** Puts, reads and removes a small file; throws where the store is not usable. */
  check(): Promise<void>;
}
