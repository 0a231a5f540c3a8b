import { getEventListeners } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Context } from '../../../shared/platform/context.js';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { createSourceCache } from '../../../workers/runtime/sourceCache.js';
import { processFolder } from '../../../workers/runtime/temporaryFolders.js';
import { rejection } from '../../support/rejection.js';

describe('sources from an object store', () => {
  let dataDir: string;
  let fetched: string[];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'video-platform-sources-'));
    fetched = [];
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  /** A cache over a store whose files contain their keys. */
  function cacheOver(fetch: Storage['fetch'] = async (key, path) => writeFile(path, key)) {
    const storage: Pick<Storage, 'localPath' | 'fetch'> = {
      localPath: () => null,
      async fetch(key, path, signal) {
        fetched.push(key);
        await fetch(key, path, signal);
      },
    };
    return createSourceCache({ config: { dataDir }, storage } as unknown as Context);
  }
  const filesLeft = (): Promise<string[]> => readdir(processFolder({ dataDir } as Context['config']));

  it('are fetched once, with one of them cached and no listener left on the job’s signal', async () => {
    const cache = cacheOver();
    const { signal } = new AbortController();
    for (let use = 0; use < 30; use += 1) await cache.use(use < 20 ? 'a' : `b${use}`, signal, async () => {});
    expect(fetched).to.have.length(11);
    expect(await filesLeft()).to.have.length(1);
    expect(getEventListeners(signal, 'abort')).to.deep.equal([]);
  });

  it('are not awaited by an aborted job, and a fetch without waiting jobs is aborted', async () => {
    const cache = cacheOver((_key, _path, signal) => {
      return new Promise((_, reject) => {
        const end = (): void => reject(new Error('no longer needed'));
        if (signal?.aborted) end();
        else signal?.addEventListener('abort', end);
      });
    });
    const job = new AbortController();
    const used = cache.use('a', job.signal, async () => {});
    job.abort(new Error('the process ends'));
    expect(await rejection(used)).to.have.property('message', 'the process ends');
    expect(await rejection(cache.use('a', job.signal, async () => {}))).to.have.property('message', 'the process ends');
    expect(fetched).to.deep.equal(['a']);
    expect(await filesLeft()).to.deep.equal([]);
  });
});
