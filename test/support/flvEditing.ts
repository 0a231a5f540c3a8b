import { readFile } from 'node:fs/promises';
import { FlvReader, flvHeader, writeFlvTag, type FlvTag } from '../../shared/media/flv/index.js';

/** The tags of an FLV file. */
export async function readTags(path: string): Promise<FlvTag[]> {
  return new FlvReader().push(await readFile(path));
}

/** The tags of several streams in sequence, each starting at the end of the previous one. */
export function joinTags(...streams: readonly (readonly FlvTag[])[]): FlvTag[] {
  let end = 0;
  return streams.flatMap((tags) => {
    const start = end;
    end += Math.max(...tags.map(({ timestampMs }) => timestampMs)) + 33;
    return tags.map((tag) => ({ ...tag, timestampMs: tag.timestampMs + start }));
  });
}

/** Writes an FLV stream of these tags. */
export function writeTags(tags: readonly FlvTag[]): Buffer {
  return Buffer.concat([flvHeader, ...tags.flatMap(writeFlvTag)]);
}

/** Yields tags in real time, `speed` times as fast. */
export async function* inRealTime(tags: readonly FlvTag[], speed = 1): AsyncGenerator<Buffer> {
  const start = performance.now();
  yield flvHeader;
  for (const tag of tags) {
    const wait = tag.timestampMs / speed - (performance.now() - start);
    if (wait > 5) await new Promise((resolve) => setTimeout(resolve, wait));
    yield Buffer.concat(writeFlvTag(tag));
  }
}
