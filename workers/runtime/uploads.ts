import { Readable } from 'node:stream';
import pLimit from 'p-limit';
import type { Context } from '../../shared/platform/context.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';

/** Stores files while more are being created, a few at a time. */
export interface Uploads {
  /** Resolves when the file is stored. */
  add(path: string, key: string, contentType: string): Promise<void>;
  addBuffer(body: Buffer, key: string, contentType: string): Promise<void>;
  /** Stores several buffers as one file. */
  addBuffers(body: readonly Buffer[], key: string, contentType: string): Promise<void>;
  /** Resolves when all files added so far are stored; rejects if one could not be stored. */
  done(): Promise<void>;
  /** Resolves when no upload is in progress. Never rejects. */
  ended(): Promise<void>;
}

const atOnce = 4;

/** `signal`: its abort stops all uploads. */
export function createUploads(ctx: Pick<Context, 'storage'>, signal: AbortSignal): Uploads {
  const limit = pLimit(atOnce);
  const waiting = new Set<Promise<void>>();
  let failure: { readonly error: unknown } | undefined;
  const enqueue = (put: () => Promise<unknown>): Promise<void> => {
    const upload = limit(async () => {
      signal.throwIfAborted();
      await put();
    });
    waiting.add(upload);
    upload.catch((error: unknown) => (failure ??= { error })).finally(() => waiting.delete(upload));
    return upload;
  };
  return {
    add: (path, key, contentType) => enqueue(() => ctx.storage.putFile(key, path, { contentType, signal })),
    addBuffer: (body, key, contentType) => enqueue(() => ctx.storage.put(key, body, { contentType, signal })),
    addBuffers: (body, key, contentType) =>
      enqueue(() =>
        ctx.storage.put(key, withErrorListener(Readable.from(body, { objectMode: false })), { contentType, signal }),
      ),
    async done() {
      if (failure) throw failure.error;
      await Promise.all(waiting);
    },
    ended: async () => void (await Promise.allSettled(waiting)),
  };
}
