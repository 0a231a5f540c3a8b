/** Buffers have a multiple of this size, so that one of a segment fits another one. */
const stepBytes = 1024 ** 2;
const maxFree = 16;

/**
 * Large buffers that are used again. To allocate and collect some megabytes for each segment of a film takes several times as
 * long as to copy them.
 */
export class BufferPool {
  readonly #free: ArrayBuffer[] = [];
  /** One that does not come back is left to the garbage collector. */
  readonly #taken = new WeakSet<ArrayBufferLike>();

  /** A buffer of this size, with any content. */
  take(bytes: number): Buffer {
    const fitting = this.#free.findIndex(({ byteLength }) => byteLength >= bytes);
    const [found] = fitting < 0 ? [] : this.#free.splice(fitting, 1);
    const memory = found ?? new ArrayBuffer(Math.ceil(bytes / stepBytes) * stepBytes);
    this.#taken.add(memory);
    return Buffer.from(memory, 0, bytes);
  }

  /** To be called when these buffers are not used any more. Ignores those that are not of this pool. */
  release(buffers: readonly Buffer[]): void {
    for (const { buffer } of buffers) {
      if (!this.#taken.delete(buffer) || this.#free.length >= maxFree) continue;
      this.#free.push(buffer as ArrayBuffer);
      this.#free.sort((one, other) => one.byteLength - other.byteLength);
    }
  }
}
