import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import pLimit, { type LimitFunction } from 'p-limit';
import { withErrorListener } from '../errorListener.js';
import type { AppendOptions, Arrivals, Piece, ByteRange } from './storage.js';
import { BufferPool } from '../bufferPool.js';
import { assertKey } from './keys.js';
import type { Bucket } from './s3Bucket.js';
import { joinObjects, smallestPartBytes } from './s3Join.js';
import { putBuffer, readObject } from './s3Objects.js';
import { removeFolder } from './s3Removal.js';
import { namingFullStorage } from './storageFull.js';

const contentType = 'application/octet-stream';
/** Less than the limit of 10,000 parts per object, because some pieces are shorter than others. */
const piecesOfFile = 9_000;
/**
 * Pieces that this process uploads at the same time. Together with one more piece per file, this bounds the memory. All files
 * share the slots.
 */
const sentAtOnce = 4;
/** Parts of all files that are joined at the same time; the store copies them itself. */
const joinedAtOnce = 16;

/**
 * Arriving files in an object store. Each piece is an object, which other processes can read at once, unlike parts of an open
 * multipart upload. The store joins the pieces at the end. Their names have a random part, so that a writer that has lost its
 * lease overwrites nothing.
 */
export function s3Arrivals(bucket: Bucket): Arrivals {
  const sendSlot = pLimit(sentAtOnce);
  const joinSlot = pLimit(joinedAtOnce);
  // A buffer is not reused after a failed request, which may still read from it.
  const buffers = new BufferPool();
  const place = `the bucket ${bucket.name}`;
  return {
    append(key, body, options) {
      const put = { contentType, ...(options.signal ? { signal: options.signal } : {}) };
      const sender = new PieceSender(options, sendSlot, (piece, bytes) =>
        putBuffer(bucket, pieceKey(key, piece), bytes, put).then(() => buffers.release([bytes])),
      );
      return namingFullStorage(place, appendPieces(body, options, sender, buffers));
    },
    read: async (key, pieces, range) =>
      withErrorListener(
        Readable.from(readPieces(bucket, key, pieces, range ?? { start: 0, end: Infinity }), { objectMode: false }),
      ),
    complete: (key, pieces, options) =>
      namingFullStorage(
        place,
        joinObjects(
          bucket,
          pieces.map((piece) => ({ key: pieceKey(key, piece), bytes: piece.bytes })),
          {
            ...{ key, contentType: options.contentType, slot: joinSlot },
            groupKey: (index) => `${piecesFolder(key)}/joined-${index}`,
          },
        ),
      ),
    discard: (key) => removeFolder(bucket, piecesFolder(key)),
  };
}

function piecesFolder(key: string): string {
  return `${assertKey(key)}-pieces`;
}

function pieceKey(key: string, { name }: Piece): string {
  return `${piecesFolder(key)}/${name}`;
}

/** Piece size of a file, so that the number of pieces stays within the limit. */
export function pieceBytesOf(totalBytes: number): number {
  return Math.max(smallestPartBytes, Math.ceil(totalBytes / piecesOfFile));
}

type PutPiece = (piece: Piece, bytes: Buffer) => Promise<unknown>;

async function appendPieces(
  body: Readable,
  options: AppendOptions,
  sending: PieceSender,
  buffers: BufferPool,
): Promise<void> {
  const pieceBytes = pieceBytesOf(options.totalBytes);
  let failure: { readonly error: unknown } | undefined;
  let gathered: Buffer | undefined;
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      options.signal?.throwIfAborted();
      for (let taken = 0; taken < chunk.length;) {
        gathered ??= buffers.take(pieceBytes);
        const copied = chunk.copy(gathered, bytes, taken);
        taken += copied;
        bytes += copied;
        if (bytes < pieceBytes) continue;
        const full = gathered;
        [gathered, bytes] = [undefined, 0];
        await sending.send(full);
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (gathered && !options.signal?.aborted && !sending.hasFailed)
    await sending.send(gathered.subarray(0, bytes)).catch(() => {});
  await sending.done();
  if (failure) throw failure.error;
}

/** Uploads several pieces in parallel, and reports them in order. */
class PieceSender {
  readonly #options: AppendOptions;
  readonly #put: PutPiece;
  /** Shared by all files of the process. */
  readonly #slot: LimitFunction;
  #start: number;
  #reported: Promise<void> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  constructor(options: AppendOptions, slot: LimitFunction, put: PutPiece) {
    this.#options = options;
    this.#slot = slot;
    this.#put = put;
    this.#start = options.start;
  }

  get hasFailed(): boolean {
    return this.#failure !== undefined;
  }

  /**
   * Resolves when the upload of the piece starts: until then, no other piece is gathered. Rejects if an earlier piece could not
   * be stored.
   */
  async send(bytes: Buffer): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    const piece = { start: this.#start, bytes: bytes.length, name: nameAt(this.#start) };
    this.#start += bytes.length;
    await new Promise<void>((begun) => {
      const stored = this.#slot(() => {
        begun();
        return this.#put(piece, bytes);
      });
      // `done` throws the error.
      stored.catch(() => {});
      this.#reported = this.#report(piece, this.#reported, stored);
    });
  }

  /** Never rejects: `done` throws the first failure. */
  async #report(piece: Piece, before: Promise<void>, stored: Promise<unknown>): Promise<void> {
    await before;
    if (this.#failure) return;
    try {
      await stored;
      await this.#options.stored(piece);
    } catch (error) {
      this.#failure ??= { error };
    }
  }

  async done(): Promise<void> {
    await this.#reported;
    if (this.#failure) throw this.#failure.error;
  }
}

/** Sorts by position; the random part makes each name unique. */
function nameAt(start: number): string {
  return `${String(start).padStart(15, '0')}-${randomBytes(6).toString('hex')}`;
}

async function* readPieces(
  bucket: Bucket,
  key: string,
  pieces: readonly Piece[],
  { start, end }: ByteRange,
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    const first = Math.max(start, piece.start);
    const last = Math.min(end, piece.start + piece.bytes - 1);
    if (first > last) continue;
    const range = { start: first - piece.start, end: last - piece.start };
    yield* (await readObject(bucket, pieceKey(key, piece), range)) as AsyncIterable<Buffer>;
  }
}
