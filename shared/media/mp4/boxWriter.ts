/* Writes boxes of MP4 (ISO 14496-12). */

const headerBytes = 8;

export function mp4Box(type: string, ...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([boxHeader(type, bytesOf(parts)), ...parts]);
}

/** The header of a box with `bytes` of content. */
export function boxHeader(type: string, bytes: number): Buffer {
  return Buffer.concat([numbers(headerBytes + bytes), Buffer.from(type, 'latin1')]);
}

/** 32-bit numbers, big-endian. */
export function numbers(...values: readonly number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => void buffer.writeUInt32BE(value >>> 0, 4 * index));
  return buffer;
}

function bytesOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0);
}
