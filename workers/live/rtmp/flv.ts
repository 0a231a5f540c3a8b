import { encodeAmf0, type AmfValue } from './amf0.js';

/** Tag types of FLV, which are the message types of RTMP. */
export const flvTagType = { audio: 8, video: 9, script: 18 } as const;

/** The header of an FLV file, with the first back pointer. */
export function flvHeader(tracks: { readonly audio: boolean; readonly video: boolean }): Buffer {
  const flags = (tracks.audio ? 4 : 0) | (tracks.video ? 1 : 0);
  return Buffer.from([0x46, 0x4c, 0x56, 1, flags, 0, 0, 0, 9, 0, 0, 0, 0]);
}

const tagHeaderBytes = 11;

/** The parts of a tag, to be joined by the caller. `timestamp` is in milliseconds, of 32 bits. */
export function flvTag(type: number, timestamp: number, payload: Buffer): [Buffer, Buffer, Buffer] {
  const header = Buffer.alloc(tagHeaderBytes);
  header[0] = type;
  header.writeUIntBE(payload.length, 1, 3);
  header.writeUIntBE(timestamp & 0xffffff, 4, 3);
  header[7] = (timestamp >>> 24) & 0xff;
  const backPointer = Buffer.alloc(4);
  backPointer.writeUInt32BE(tagHeaderBytes + payload.length);
  return [header, payload, backPointer];
}

/** Members of `onMetaData` that a reader of the FLV stream may need. Texts of the encoder are left out. */
const metadataMembers = [
  'width',
  'height',
  'framerate',
  'videocodecid',
  'videodatarate',
  'audiocodecid',
  'audiodatarate',
  'audiosamplerate',
  'audiosamplesize',
  'stereo',
] as const;

export type StreamMetadata = Partial<Record<(typeof metadataMembers)[number], number | boolean>>;

/**
 * The metadata of a data message, `@setDataFrame`, `onMetaData`, members; null for every other data message. Only known
 * numbers and booleans are taken, because the FLV stream is read by programs that trust it.
 */
export function readMetadata(values: readonly AmfValue[]): StreamMetadata | null {
  const [name, members] = values[0] === '@setDataFrame' ? values.slice(1) : values;
  if (name !== 'onMetaData' || !(members instanceof Map)) return null;
  const metadata: StreamMetadata = {};
  for (const member of metadataMembers) {
    const value: unknown = members.get(member);
    if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) metadata[member] = value;
  }
  return metadata;
}

export function encodeMetadata(metadata: StreamMetadata): Buffer {
  return encodeAmf0('onMetaData', metadata);
}
