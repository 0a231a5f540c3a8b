import { setTimeout as sleep } from 'node:timers/promises';
import type { ChunkEncoder } from '../../../workers/transcoding/makeChunk.js';

/** An encoder reports its progress this often. */
const progressEverySeconds = 0.5;

/** How long the encoder of a chunk sleeps: the same in every run, and another time for each chunk. */
export function sleepSecondsOf(baseSeconds: number, chunk: number): number {
  const share = (chunk * 0.618_033_988_75) % 1;
  return baseSeconds * (0.9 + 0.2 * share);
}

/** Sleeps instead of encoding, and stores nothing. */
export function createSleepingEncoder(baseSeconds: number): ChunkEncoder {
  return async ({ payload, signal }, _folder, _to, onProgress) => {
    const seconds = sleepSecondsOf(baseSeconds, payload.chunk);
    const start = performance.now();
    for (let passed = 0; passed < seconds; passed = (performance.now() - start) / 1000) {
      onProgress(passed / seconds);
      await sleep(1000 * Math.min(progressEverySeconds, seconds - passed), undefined, { signal });
    }
    return { renditions: {} };
  };
}
