/** Buffer sizes are multiples of this, so that the buffer of one segment fits another one. */
const stepBytes = 1024 ** 2;
const maxFree = 16;

/**
 * A pool of large, reusable buffers. Allocating and collecting some megabytes for each segment of a film takes several times as
 * long as copying them.
 */
export class BufferPool {
  readonly #free: ArrayBuffer[] = [];
  /** A buffer that is not released is left to the garbage collector. */
  readonly #taken = new WeakSet<ArrayBufferLike>();

  /** A buffer of this size; its content is undefined. */
  take(bytes: number): Buffer {
    const fitting = this.#free.findIndex(({ byteLength }) => byteLength >= bytes);
    const [found] = fitting < 0 ? [] : this.#free.splice(fitting, 1);
    const memory = found ?? new ArrayBuffer(Math.ceil(bytes / stepBytes) * stepBytes);
    this.#taken.add(memory);
    return Buffer.from(memory, 0, bytes);
  }

  /** Returns buffers that are no longer used. Ignores buffers that are not of this pool. */
  release(buffers: readonly Buffer[]): void {
    for (const { buffer } of buffers) {
      if (!this.#taken.delete(buffer) || this.#free.length >= maxFree) continue;
      this.#free.push(buffer as ArrayBuffer);
      this.#free.sort((one, other) => one.byteLength - other.byteLength);
    }
  }
}
