import { createReadStream } from 'node:fs';
import type { Context } from '../../shared/platform/context.js';

/** Files on their way to the store, a few at a time, while the encoder goes on. */
export interface Uploads {
  /** Begins soon; resolves when the file is stored. */
  add(path: string, key: string, contentType: string): Promise<void>;
  addBuffer(body: Buffer, key: string, contentType: string): Promise<void>;
  /** Resolves when everything added so far is stored; rejects where something could not be. */
  done(): Promise<void>;
  /** Resolves when nothing is under way any more, however it ended. */
  settled(): Promise<void>;
}

const atOnce = 4;

export function createUploads(ctx: Context, signal: AbortSignal): Uploads {
  const all: Promise<void>[] = [];
  const waiting: (() => void)[] = [];
  let running = 0;
  const turn = async (): Promise<void> => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    running += 1;
  };
  const enqueue = (put: () => Promise<unknown>): Promise<void> => {
    const upload = (async () => {
      await turn();
      try {
        signal.throwIfAborted();
        await put();
      } finally {
        running -= 1;
        waiting.shift()?.();
      }
    })();
    upload.catch(() => {});
    all.push(upload);
    return upload;
  };
  return {
    add: (path, key, contentType) =>
      enqueue(() => ctx.storage.put(key, createReadStream(path), { contentType, signal })),
    addBuffer: (body, key, contentType) => enqueue(() => ctx.storage.put(key, body, { contentType, signal })),
    done: async () => void (await Promise.all(all)),
    settled: async () => void (await Promise.allSettled(all)),
  };
}
