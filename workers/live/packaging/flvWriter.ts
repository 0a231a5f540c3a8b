import { flvTagType } from './flvReader.js';

/** The header of an FLV stream with audio and video, and the first back pointer. */
export const flvHeader = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);

const tagHeaderBytes = 11;

/** The parts of a tag, to be written one after the other. */
export function flvTag(kind: 'audio' | 'video', timestampMs: number, payload: Buffer): [Buffer, Buffer, Buffer] {
  const header = Buffer.alloc(tagHeaderBytes);
  const time = Math.max(0, Math.round(timestampMs));
  header[0] = flvTagType[kind];
  header.writeUIntBE(payload.length, 1, 3);
  header.writeUIntBE(time & 0xffffff, 4, 3);
  header[7] = (time >>> 24) & 0xff;
  const backPointer = Buffer.alloc(4);
  backPointer.writeUInt32BE(tagHeaderBytes + payload.length);
  return [header, payload, backPointer];
}
