import type { FlvTag } from './flvTag.js';

/** The header of an FLV stream with audio and video, and the first back pointer. */
export const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);

const headBytes = 11;
/** Bytes of a tag in addition to its payload. */
export const flvTagOverheadBytes = headBytes + 4;

/** A tag in parts, to be written in this order. Its timestamp is rounded and at least 0. */
export function writeFlvTag({ type, timestampMs, payload }: FlvTag): [Buffer, Buffer, Buffer] {
  const head = Buffer.alloc(headBytes);
  const time = Math.max(0, Math.round(timestampMs));
  head[0] = type;
  head.writeUIntBE(payload.length, 1, 3);
  head.writeUIntBE(time & 0xffffff, 4, 3);
  head[7] = (time >>> 24) & 0xff;
  const backPointer = Buffer.alloc(4);
  backPointer.writeUInt32BE(headBytes + payload.length);
  return [head, payload, backPointer];
}
