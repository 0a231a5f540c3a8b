import type { ServerMessage } from './rtmpMessage.js';

/** Chunk stream of control messages, and of all other messages. */
const controlChunkStream = 2;
const commandChunkStream = 3;

/** Encodes a message as chunks: a header of type 0, then headers of type 3. */
export function encodeChunks({ type, streamId, payload }: ServerMessage, chunkSize: number): Buffer {
  const chunkStream = type < 8 ? controlChunkStream : commandChunkStream;
  const header = Buffer.alloc(12);
  header[0] = chunkStream;
  header.writeUIntBE(payload.length, 4, 3);
  header[7] = type;
  header.writeUInt32LE(streamId, 8);
  const parts = [header, payload.subarray(0, chunkSize)];
  for (let at = chunkSize; at < payload.length; at += chunkSize)
    parts.push(Buffer.from([0xc0 | chunkStream]), payload.subarray(at, at + chunkSize));
  return Buffer.concat(parts);
}
