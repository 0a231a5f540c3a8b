import type { FlvTag } from '../../shared/media/flv/index.js';

/** The same limit as in the packager (`packaging/tagWindow.ts`). */
const maxHeldBytes = 24 * 1024 ** 2;
/** Memory of a tag's objects. */
const tagObjectBytes = 256;

/** Buffers the media of an encoder until its run is open, so that the encoder does not have to wait. */
export class HeldMedia {
  readonly #source: AsyncIterator<readonly FlvTag[]>;
  #held: (readonly FlvTag[])[] = [];
  #heldBytes = 0;
  /** The pending read of the source. */
  #next: Promise<IteratorResult<readonly FlvTag[]>> | null = null;
  /** All media, the buffered media first. For one reader, after `hold`. */
  readonly tags: AsyncIterable<readonly FlvTag[]> = this.#read();

  constructor(source: AsyncIterable<readonly FlvTag[]>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Buffers media until the signal aborts or the source ends. Resolves with true if the buffer is full before. */
  async hold(signal: AbortSignal): Promise<boolean> {
    const over = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
    while (!signal.aborted && this.#heldBytes < maxHeldBytes) {
      this.#next ??= this.#source.next();
      // An error of the source is reported to the reader of `tags`, which awaits the same promise.
      const next = await Promise.race([this.#next.catch(() => null), over]);
      if (!next || next.done) return false;
      this.#next = null;
      this.#held.push(next.value);
      this.#heldBytes += next.value.reduce((sum, { payload }) => sum + payload.length + tagObjectBytes, 0);
    }
    return !signal.aborted;
  }

  async *#read(): AsyncGenerator<readonly FlvTag[]> {
    try {
      const held = this.#held;
      this.#held = [];
      yield* held;
      for (;;) {
        const next = await (this.#next ?? this.#source.next());
        this.#next = null;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await this.#source.return?.();
    }
  }
}
