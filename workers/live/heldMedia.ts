import type { FlvTag } from '../../shared/media/flv/index.js';

/** As much as the packager holds of a run (`packaging/tagWindow.ts`). */
const maxHeldBytes = 24 * 1024 ** 2;
/** The objects of one tag. */
const tagObjectBytes = 256;

/** The media of an encoder whose run is not open yet: it is read on, so that the encoder does not have to wait. */
export class HeldMedia {
  readonly #source: AsyncIterator<readonly FlvTag[]>;
  #held: (readonly FlvTag[])[] = [];
  #heldBytes = 0;
  /** Being read from the source. */
  #next: Promise<IteratorResult<readonly FlvTag[]>> | null = null;
  /** All media, the held one first. For one reader, after `hold`. */
  readonly tags: AsyncIterable<readonly FlvTag[]> = this.#read();

  constructor(source: AsyncIterable<readonly FlvTag[]>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** Holds what arrives until the signal aborts. Resolves then, at the end of the source, or with true when no more can be held. */
  async hold(signal: AbortSignal): Promise<boolean> {
    const over = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
    while (!signal.aborted && this.#heldBytes < maxHeldBytes) {
      this.#next ??= this.#source.next();
      // Its reader gets an error of the source, from the same promise.
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
