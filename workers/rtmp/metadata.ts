import type { AmfValue } from './amf0.js';

/** The members of `onMetaData` that are read. Texts are ignored. */
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
 * Reads the metadata of a data message, `@setDataFrame`, `onMetaData`, members; null for any other data message. Only known numbers
 * and booleans are read.
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
