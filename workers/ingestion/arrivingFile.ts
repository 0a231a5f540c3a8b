import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { piecesOf, uploadOfContent } from '../../shared/upload/upload.lifecycle.js';
import type { Content } from '../../shared/content/content.model.js';
import { arrivalOf } from '../../shared/content/content.queries.js';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { Tunable } from '../../shared/platform/tunable.js';
import { arrivedBytes, type Piece, type ByteRange } from '../../shared/platform/storage/storage.js';
import type { RangedFile } from '../media/index.js';

/** An upload below this speed is not followed: it would delay faster ones. */
export const slowArrivalSeconds = new Tunable(20);
const minArrivedBytes = 2 * 1024 ** 2;
const pollMs = 100;
/** Time over which the speed of an upload is measured. */
const speedSeconds = 0.5;

/** The upload was removed or is too slow, so its source is not read further. It can be followed again. */
export class ArrivalStoppedError extends Error {
  override readonly name = 'ArrivalStoppedError';
}

/**
 * The source of a content during its upload: reading a range waits until its bytes have arrived. `bytes` is the size that the
 * client announced, which may exceed that of the file.
 */
export class ArrivingFile implements RangedFile {
  readonly opening = { isArriving: true } as const;
  readonly #ctx: Context;
  readonly #content: Content;
  readonly #uploadId: string;
  readonly #signal: AbortSignal;
  readonly #pieces: Piece[] = [];
  /** Size of the complete file; null during the upload. */
  #completeBytes: number | null = null;
  /** The pieces were joined into the file, shortly before the upload counts as complete. */
  #isJoined = false;
  #refreshing: Promise<void> | null = null;

  private constructor(ctx: Context, content: Content, uploadId: string, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#content = content;
    this.#uploadId = uploadId;
    this.#signal = signal;
  }

  /** Null if the upload is gone. */
  static async open(ctx: Context, content: Content, signal: AbortSignal): Promise<ArrivingFile | null> {
    const uploadId = await uploadOfContent(ctx, content.id);
    return uploadId === null ? null : new ArrivingFile(ctx, content, uploadId, signal);
  }

  get bytes(): number {
    return this.#completeBytes ?? this.#content.sourceBytes;
  }

  async read(range: ByteRange): Promise<Readable> {
    const closed = new AbortController();
    const signal = AbortSignal.any([this.#signal, closed.signal]);
    const stream = withErrorListener(Readable.from(this.#parts(range, signal), { objectMode: false }));
    stream.once('close', () => closed.abort());
    return stream;
  }

  /** Estimated seconds until the upload is complete, from its speed in the next half second; 0 if it is complete. */
  async remainingSeconds(): Promise<number> {
    await this.#refresh();
    const [before, begun] = [arrivedBytes(this.#pieces), performance.now()];
    while (this.#completeBytes === null) {
      await sleep(pollMs, undefined, { signal: this.#signal });
      await this.#refresh();
      const measuredSeconds = (performance.now() - begun) / 1_000;
      if (measuredSeconds < speedSeconds) continue;
      const arrived = arrivedBytes(this.#pieces);
      return (this.bytes - arrived) / ((arrived - before) / measuredSeconds);
    }
    return 0;
  }

  /** Bytes received so far. */
  async arrivedBytes(): Promise<number> {
    await this.#refresh();
    return this.#completeBytes ?? arrivedBytes(this.#pieces);
  }

  /** Waits until the upload has become a box item. Resolves with the size of the file. Throws ArrivalStoppedError. */
  async untilComplete(): Promise<number> {
    await this.#arrived(Number.MAX_SAFE_INTEGER, this.#signal);
    if (this.#completeBytes === null) throw new TypeError('the file is not complete');
    return this.#completeBytes;
  }

  /** Ends early if the file is shorter than announced. */
  async *#parts({ start, end }: ByteRange, signal: AbortSignal): AsyncGenerator<Buffer> {
    for (let at = start; at <= end;) {
      const arrived = await this.#arrived(at, signal);
      if (at >= arrived) return;
      const before = at;
      const isFile = this.#isJoined || this.#completeBytes !== null;
      try {
        const part = await this.#open(isFile, { start: at, end: Math.min(end, arrived - 1) });
        for await (const chunk of part as AsyncIterable<Buffer>) {
          at += chunk.length;
          yield chunk;
        }
      } catch (error) {
        if (!(error instanceof NotFoundError)) throw error;
        // The pieces were removed meanwhile: they were joined into the file, or the upload is gone.
        if (isFile) throw new ArrivalStoppedError('the upload was removed');
        this.#isJoined = true;
        continue;
      }
      if (at === before) throw new Error(`the source has no readable bytes at ${at}`);
    }
  }

  #open(isFile: boolean, part: ByteRange): Promise<Readable> {
    const { storage } = this.#ctx;
    const { sourceKey } = this.#content;
    return isFile ? storage.read(sourceKey, part) : storage.arrivals.read(sourceKey, this.#pieces, part);
  }

  /** Waits until the byte at a position has arrived, or the upload is complete. Resolves with the bytes received. */
  async #arrived(position: number, signal: AbortSignal): Promise<number> {
    const seconds = this.#ctx.config.limit(slowArrivalSeconds);
    let [before, since] = [arrivedBytes(this.#pieces), performance.now()];
    for (;;) {
      if (this.#completeBytes !== null) return this.#completeBytes;
      if (arrivedBytes(this.#pieces) > position) return arrivedBytes(this.#pieces);
      if (performance.now() - since > seconds * 1_000) {
        const arrived = arrivedBytes(this.#pieces);
        if (arrived - before < minArrivedBytes)
          throw new ArrivalStoppedError(`less than ${minArrivedBytes} bytes have arrived in ${seconds} s`);
        [before, since] = [arrived, performance.now()];
      }
      await (this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = null)));
      await sleep(pollMs, undefined, { signal });
    }
  }

  async #refresh(): Promise<void> {
    const arrival = await arrivalOf(this.#ctx, this.#content.id);
    if (!arrival) throw new ArrivalStoppedError('the upload was removed');
    if (arrival.isWhole) this.#completeBytes = arrival.bytes;
    else this.#pieces.push(...(await piecesOf(this.#ctx, this.#uploadId, arrivedBytes(this.#pieces))));
  }
}
