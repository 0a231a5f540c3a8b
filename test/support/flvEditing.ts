import { readFile } from 'node:fs/promises';
import { FlvReader, type FlvTag } from '../../workers/live/packaging/flvReader.js';

/** The tags of an FLV file. */
export async function readTags(path: string): Promise<FlvTag[]> {
  return new FlvReader().push(await readFile(path));
}

/** The tags of several streams one after the other, each beginning where the one before it ends. */
export function joinTags(...streams: readonly (readonly FlvTag[])[]): FlvTag[] {
  let end = 0;
  return streams.flatMap((tags) => {
    const start = end;
    end += Math.max(...tags.map(({ timestampMs }) => timestampMs)) + 33;
    return tags.map((tag) => ({ ...tag, timestampMs: tag.timestampMs + start }));
  });
}

/** An FLV stream of these tags. */
export function writeTags(tags: readonly FlvTag[]): Buffer {
  const header = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0]);
  const blocks = tags.flatMap(({ type, timestampMs, payload }) => {
    const head = Buffer.alloc(11);
    head[0] = type;
    head.writeUIntBE(payload.length, 1, 3);
    head.writeUIntBE(timestampMs & 0xffffff, 4, 3);
    head[7] = (timestampMs / 2 ** 24) & 0xff;
    const back = Buffer.alloc(4);
    back.writeUInt32BE(11 + payload.length);
    return [head, payload, back];
  });
  return Buffer.concat([header, ...blocks]);
}

/** Passes tags on in real time, `speed` times as fast. */
export async function* inRealTime(tags: readonly FlvTag[], speed = 1): AsyncGenerator<Buffer> {
  const start = performance.now();
  const [header] = [writeTags([])];
  yield header;
  for (const tag of tags) {
    const wait = tag.timestampMs / speed - (performance.now() - start);
    if (wait > 5) await new Promise((resolve) => setTimeout(resolve, wait));
    yield writeTags([tag]).subarray(header.length);
  }
}
