import type { FlvTag } from './flvTag.js';

/** The stream is not FLV, or a tag exceeds the maximum size. */
export class FlvError extends Error {}

const headerBytes = 9;
const tagHeaderBytes = 11;
const backPointerBytes = 4;
/** Two seconds at 32 Mbit/s in one frame. */
const maxPayloadBytes = 8 * 1024 ** 2;

/** Divides the chunks of an FLV stream into its tags. Keeps one unfinished tag in memory. */
export class FlvReader {
  #blocks: Buffer[] = [];
  #bytes = 0;
  /** Bytes that the next step needs. */
  #needed = headerBytes + backPointerBytes;
  #hasHeader = false;

  /** Throws FlvError. */
  push(block: Buffer): FlvTag[] {
    this.#blocks.push(block);
    this.#bytes += block.length;
    if (this.#bytes < this.#needed) return [];
    const buffer = this.#blocks.length === 1 ? block : Buffer.concat(this.#blocks);
    const tags: FlvTag[] = [];
    let at = this.#hasHeader ? 0 : readHeader(buffer);
    this.#hasHeader = true;
    this.#needed = tagHeaderBytes;
    while (at + tagHeaderBytes <= buffer.length) {
      const length = buffer.readUIntBE(at + 1, 3);
      if (length > maxPayloadBytes) throw new FlvError(`FLV tag of ${length} bytes`);
      const end = at + tagHeaderBytes + length;
      if (end + backPointerBytes > buffer.length) {
        this.#needed = tagHeaderBytes + length + backPointerBytes;
        break;
      }
      tags.push({
        type: (buffer[at] as number) & 0x1f,
        timestampMs: buffer.readUIntBE(at + 4, 3) + (buffer[at + 7] as number) * 2 ** 24,
        payload: buffer.subarray(at + tagHeaderBytes, end),
      });
      at = end + backPointerBytes;
    }
    const rest = buffer.subarray(at);
    this.#blocks = [rest];
    this.#bytes = rest.length;
    return tags;
  }
}

/** Returns the offset of the first tag. */
function readHeader(buffer: Buffer): number {
  const size = buffer.readUInt32BE(5);
  if (buffer.toString('latin1', 0, 3) !== 'FLV' || size !== headerBytes) throw new FlvError('not an FLV stream');
  return headerBytes + backPointerBytes;
}
