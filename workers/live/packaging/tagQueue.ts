import Queue from 'yocto-queue';
import type { MediaTag } from './mediaTag.js';

/** Tags with what they take in memory. The first one is taken in constant time, which an array of many cannot. */
export class TagQueue {
  readonly #queue = new Queue<MediaTag>();
  #bytes = 0;

  constructor(tags: Iterable<MediaTag> = []) {
    for (const tag of tags) this.add(tag);
  }

  get bytes(): number {
    return this.#bytes;
  }

  get first(): MediaTag | undefined {
    return this.#queue.peek();
  }

  /** In the order in which they were added. */
  get tags(): Iterable<MediaTag> {
    return this.#queue;
  }

  add(tag: MediaTag): void {
    this.#queue.enqueue(tag);
    this.#bytes += tag.bytes;
  }

  shift(): MediaTag | undefined {
    const tag = this.#queue.dequeue();
    this.#bytes -= tag?.bytes ?? 0;
    return tag;
  }
}
