import { constants } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { arrivedBytes, type AppendOptions, type Arrivals } from './storage.js';
import { inFolderOf, isAbsent, moveIntoPlace, pruneEmpty, readFileStream } from './diskFiles.js';
import { assertKey } from './keys.js';
import { namingFullStorage } from './storageFull.js';

/** Bytes per write call. */
const writeBytes = 1024 ** 2;
/** Bytes that are flushed together and reported as one piece; fewer if they take longer than `pieceMs` to arrive. */
const pieceBytes = 16 * 1024 ** 2;
const pieceMs = 1_000;

/**
 * Arriving files on disk. Each is one growing file next to its final path. Writes use explicit positions, so a second writer of
 * the same range writes the same bytes to the same place.
 */
export function diskArrivals(root: string): Arrivals {
  const arrivingPath = (key: string): string => join(root, `${assertKey(key)}-arriving`);
  return {
    append: (key, body, options) => namingFullStorage(root, append(arrivingPath(key), body, options)),
    read: async (key, pieces, range) =>
      readFileStream(arrivingPath(key), {
        start: range?.start ?? 0,
        end: Math.min(range?.end ?? Infinity, arrivedBytes(pieces) - 1),
      }),
    async complete(key, pieces) {
      const path = arrivingPath(key);
      const completePath = join(root, assertKey(key));
      // After a crash that followed the rename, the file has its final path.
      const arrived = await stat(path).catch(absentAsNull);
      if (!arrived && (await stat(completePath).catch(absentAsNull))?.size === arrivedBytes(pieces)) return;
      await truncateTo(path, arrivedBytes(pieces));
      await moveIntoPlace(path, completePath);
    },
    async discard(key) {
      await rm(arrivingPath(key), { force: true });
      await pruneEmpty(root, dirname(arrivingPath(key)));
    },
  };
}

/** Discards bytes that a dead process wrote after the last reported piece. */
async function truncateTo(path: string, bytes: number): Promise<void> {
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW);
  try {
    await handle.truncate(bytes);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

async function append(path: string, body: Readable, options: AppendOptions): Promise<void> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW;
  const handle = await inFolderOf(path, () => open(path, flags));
  const file = new ArrivingFile(handle, options);
  try {
    await file.write(body);
  } finally {
    await handle.close();
  }
}

/** Writes while the previous piece is flushed, so that disk and sender work in parallel. */
class ArrivingFile {
  readonly #handle: FileHandle;
  readonly #options: AppendOptions;
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  #position: number;
  #pieceStart: number;
  #pieceBegan = performance.now();
  #flushing: Promise<void> = Promise.resolve();

  constructor(handle: FileHandle, options: AppendOptions) {
    this.#handle = handle;
    this.#options = options;
    this.#position = options.start;
    this.#pieceStart = options.start;
  }

  async write(body: Readable): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        this.#options.signal?.throwIfAborted();
        this.#gathered.push(chunk);
        this.#gatheredBytes += chunk.length;
        if (this.#gatheredBytes >= writeBytes) await this.#writeGathered();
        if (this.#position - this.#pieceStart >= pieceBytes || performance.now() - this.#pieceBegan > pieceMs)
          await this.#endPiece();
      }
    } catch (error) {
      failure = { error };
    }
    if (!this.#options.signal?.aborted) await this.#endPiece();
    await this.#flushing;
    if (failure) throw failure.error;
  }

  async #writeGathered(): Promise<void> {
    if (this.#gatheredBytes === 0) return;
    const { bytesWritten } = await this.#handle.writev(this.#gathered, this.#position);
    if (bytesWritten !== this.#gatheredBytes) throw new Error(`only ${bytesWritten} bytes were written`);
    this.#position += bytesWritten;
    this.#gathered = [];
    this.#gatheredBytes = 0;
  }

  /** Starts to flush the written bytes. Waits for the previous piece, so that at most two pieces are not yet reported. */
  async #endPiece(): Promise<void> {
    await this.#writeGathered();
    await this.#flushing;
    const piece = { start: this.#pieceStart, bytes: this.#position - this.#pieceStart, name: '' };
    if (piece.bytes === 0) return;
    this.#pieceStart = this.#position;
    this.#pieceBegan = performance.now();
    this.#flushing = this.#handle.datasync().then(() => this.#options.stored(piece));
    // The rejection is handled where the promise is awaited.
    this.#flushing.catch(() => {});
  }
}

function absentAsNull(error: unknown): null {
  if (isAbsent(error)) return null;
  throw error;
}
