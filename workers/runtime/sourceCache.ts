import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../shared/platform/context.js';
import { createPrivateFolder } from '../../shared/platform/storage/fileAccess.js';
import { processFolder } from './temporaryFolders.js';

/** Number of unused sources that are kept on disk, for the next chunk of the same content. */
const maxIdleSources = 1;

interface CachedSource {
  readonly path: string;
  readonly fetched: Promise<void>;
  readonly abandon: AbortController;
  users: number;
}

/** Source files from an object store, fetched once for all chunks that this process encodes. */
export interface SourceCache {
  /** Runs `work` with a local path. Files of a disk storage are used in place. */
  use<Result>(key: string, signal: AbortSignal, work: (path: string) => Promise<Result>): Promise<Result>;
}

export function createSourceCache(ctx: Context): SourceCache {
  const sources = new Map<string, CachedSource>();

  function begin(key: string): CachedSource {
    const abandon = new AbortController();
    const folder = processFolder(ctx.config);
    const path = join(folder, `source-${randomUUID()}`);
    const fetched = createPrivateFolder(folder).then(() => ctx.storage.fetch(key, path, abandon.signal));
    fetched.catch(() => {});
    return { path, fetched, abandon, users: 0 };
  }

  async function drop(key: string, source: CachedSource): Promise<void> {
    if (sources.get(key) === source) sources.delete(key);
    source.abandon.abort();
    await source.fetched.catch(() => {});
    await rm(source.path, { force: true });
  }

  /** Removes unused sources, oldest first, until `maxIdleSources` are left. */
  async function tidy(): Promise<void> {
    const idle = [...sources].filter(([, source]) => source.users === 0);
    for (const [key, source] of idle.slice(0, Math.max(0, idle.length - maxIdleSources))) await drop(key, source);
  }

  return {
    async use(key, signal, work) {
      const local = ctx.storage.localPath(key);
      if (local !== null) return work(local);
      signal.throwIfAborted();
      const source = sources.get(key) ?? begin(key);
      sources.delete(key);
      sources.set(key, source);
      source.users += 1;
      let usable = false;
      try {
        await untilAborted(source.fetched, signal);
        usable = true;
        return await work(source.path);
      } finally {
        source.users -= 1;
        if (!usable && source.users === 0) await drop(key, source);
        else await tidy();
      }
    },
  };
}

/** Waits for work, or rejects with the reason of the signal. Leaves no listener on the signal, which may live much longer. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort = (): void => {};
  const aborted = new Promise<never>((_, reject) => (abort = () => reject(signal.reason as Error)));
  signal.addEventListener('abort', abort, { once: true });
  try {
    await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
