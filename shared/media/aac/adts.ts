import { createReadStream } from 'node:fs';

/*
 * AAC in ADTS: a sequence of packets, each with a header that contains its length. The audio of a chunk is a range of bytes,
 * which is cut without encoding it again.
 */

const headerBytes = 7;

/** Calls `onPacket` with the offset of each packet, and resolves with the end. Stops at a damaged header. */
async function walk(path: string, onPacket: (offset: number) => void): Promise<number> {
  let position = 0;
  let next = 0;
  let held: Buffer = Buffer.alloc(0);
  for await (const data of createReadStream(path, { highWaterMark: 1024 ** 2 })) {
    const buffer: Buffer = Buffer.concat([held, data as Buffer]);
    while (next + headerBytes <= position + buffer.length) {
      const length = packetLength(buffer, next - position);
      if (length < headerBytes) return next;
      onPacket(next);
      next += length;
    }
    const kept = Math.min(buffer.length, Math.max(0, next - position));
    held = buffer.subarray(kept);
    position += kept;
  }
  return next;
}

function packetLength(buffer: Buffer, at: number): number {
  if (buffer[at] !== 0xff || ((buffer[at + 1] ?? 0) & 0xf6) !== 0xf0) return 0;
  return (((buffer[at + 3] ?? 0) & 3) << 11) | ((buffer[at + 4] ?? 0) << 3) | ((buffer[at + 5] ?? 0) >> 5);
}

export async function countPackets(path: string): Promise<number> {
  let count = 0;
  await walk(path, () => (count += 1));
  return count;
}

/**
 * Byte offsets of the packets with these numbers, in ascending order. A number after the last packet yields the end of the file.
 */
export async function packetOffsets(path: string, numbers: readonly number[]): Promise<number[]> {
  const offsets: number[] = [];
  let count = 0;
  const end = await walk(path, (offset) => {
    while (numbers[offsets.length] === count) offsets.push(offset);
    count += 1;
  });
  while (offsets.length < numbers.length) offsets.push(end);
  return offsets;
}

/** The packets of an ADTS stream without their headers, as they arrive. Stops at a damaged header. */
export async function* adtsPackets(data: AsyncIterable<unknown>): AsyncGenerator<Buffer, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  for await (const block of data) {
    held = held.length === 0 ? (block as Buffer) : Buffer.concat([held, block as Buffer]);
    let at = 0;
    while (at + headerBytes <= held.length) {
      const length = packetLength(held, at);
      if (length < headerBytes) return;
      if (at + length > held.length) break;
      yield held.subarray(at + headerBytes, at + length);
      at += length;
    }
    held = held.subarray(at);
  }
}
