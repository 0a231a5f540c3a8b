import { getEventListeners } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Context } from '../../../shared/platform/context.js';
import { partBytesOf } from '../../../shared/platform/storage/multipart.js';
import { pieceBytesOf } from '../../../shared/platform/storage/s3Arrivals.js';
import { groupsOf, partLimits, partsOf, smallestPartBytes } from '../../../shared/platform/storage/s3Join.js';
import type { ByteRange, Storage } from '../../../shared/platform/storage/storage.js';
import { TooManyReadsError, withRangeServer } from '../../../workers/media/rangeServer.js';
import { createSourceCache } from '../../../workers/runtime/sourceCache.js';
import { processFolder } from '../../../workers/runtime/temporaryFolders.js';
import { createUploads } from '../../../workers/runtime/uploads.js';
import { eventually, rejection } from '../../support/eventually.js';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const mebibyte = 1024 ** 2;

/** The largest object of S3. */
const largestBytes = 5 * 1024 ** 4;

const pieces = (bytes: readonly number[]) => bytes.map((one, index) => ({ key: String(index), bytes: one }));

const sumOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

describe('The part sizes of an object store', () => {
  it('divide a file of any length into fewer than 10,000 pieces or parts of 5 MiB to 5 GiB', () => {
    for (const totalBytes of [1, 5 * mebibyte, 48.9 * 1024 ** 3, 78.2 * 1024 ** 3, 1024 ** 4, largestBytes])
      for (const bytes of [pieceBytesOf(totalBytes), partBytesOf(totalBytes)]) {
        expect(bytes).to.be.within(smallestPartBytes, partLimits.bytes);
        expect(Math.ceil(totalBytes / bytes)).to.be.below(partLimits.count);
      }
  });

  it('join a film of 60 GiB, sent in pieces of 5 MiB, in groups that the store copies', () => {
    const parts = partsOf(pieces(Array.from({ length: 12_288 }, () => 5 * mebibyte)));
    expect(parts).to.have.lengthOf(12_288);
    const groups = groupsOf(parts);
    expect(groups.map(({ length }) => length)).to.deep.equal([...Array.from({ length: 12 }, () => 1024)]);
  });

  it('respect all limits and the order for any received pieces', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.integer({ min: 5 * mebibyte, max: 700 * mebibyte }));
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 300 }), fc.integer({ min: 2, max: 50 }), (bytes, count) => {
        const all = pieces(bytes);
        const parts = partsOf(all);
        const groups = groupsOf(parts, { ...partLimits, count });
        expect(groups.flat(2)).to.deep.equal(all);
        for (const group of groups) {
          expect(group.length).to.be.within(1, count);
          expect(sumOf(group.flat())).to.be.at.most(partLimits.bytes);
        }
        for (const part of parts.slice(0, -1)) expect(sumOf(part)).to.be.at.least(smallestPartBytes);
        const longer = partsOf(all, Math.ceil(sumOf(all) / count));
        expect(longer.length).to.be.at.most(count);
        expect(longer.flat()).to.deep.equal(all);
      }),
    );
  });
});

const body = Buffer.alloc(20 * 1024 ** 2, 'media');

function serve<Result>(
  read: (range: ByteRange) => Readable,
  work: (address: string) => Promise<Result>,
  bytes = body.length,
) {
  const file = { bytes, read: async (range: ByteRange) => read(range) };
  return withRangeServer(file, ({ address }) => work(address));
}

const stored = ({ start, end }: ByteRange): Readable =>
  Readable.from([body.subarray(start, end + 1)], { objectMode: false });

describe('the range server of a stored file', () => {
  it('serves a range that takes several reads', async () => {
    const headers = { range: 'bytes=5-18000004' };
    const read = await serve(stored, async (address) => {
      const response = await fetch(address, { headers });
      expect(response.status).to.equal(206);
      expect(response.headers.get('content-range')).to.equal(`bytes 5-18000004/${body.length}`);
      return Buffer.from(await response.arrayBuffer());
    });
    expect(read.equals(body.subarray(5, 18_000_005))).to.equal(true);
  });

  it('rejects with the storage error, regardless of the tool’s result for the truncated file', async () => {
    const away = (): never => {
      throw new Error('the store is away');
    };
    const breaking = ({ start, end }: ByteRange): Readable =>
      Readable.from(
        (async function* () {
          yield body.subarray(start, start + 1000);
          if (end - start > 1000) throw new Error('the store is away');
        })(),
        { objectMode: false },
      );
    const read = async (address: string): Promise<unknown> => (await fetch(address)).arrayBuffer();
    for (const storage of [away, breaking]) {
      for (const made of [read, (address: string) => read(address).catch(() => 'a short file')]) {
        expect(await rejection(serve(storage, made))).to.have.property('message', 'the store is away');
      }
    }
  });

  it('serves at most a small multiple of the file size', async () => {
    let served = 0;
    const counted = (range: ByteRange): Readable => {
      served += range.end - range.start + 1;
      return stored(range);
    };
    const readOften = async (address: string): Promise<void> => {
      for (let read = 0; read < 20; read += 1) await (await fetch(address)).arrayBuffer();
    };
    // Four times the file size plus 64 MiB.
    const bytes = 5 * 1024 ** 2;
    expect(await rejection(serve(counted, readOften, bytes))).to.be.instanceOf(TooManyReadsError);
    const permitted = 4 * bytes + 64 * 1024 ** 2;
    expect(served).to.be.within(permitted, permitted + 2 * bytes);
  });

  it('accepts a reader that closes its connection', async () => {
    const closed: Readable[] = [];
    const open = (range: ByteRange): Readable => {
      const stream = stored(range);
      closed.push(stream);
      return stream;
    };
    const read = await serve(open, async (address) => {
      const reader = (await fetch(address)).body?.getReader();
      const part = await reader?.read();
      await reader?.cancel();
      await eventually(() => expect(closed.every(({ destroyed }) => destroyed)).to.equal(true));
      return part?.value?.length;
    });
    expect(read).to.be.within(1, body.length);
  });
});

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

/** A storage whose puts end on the test's command. */
function heldStorage() {
  const waiting: { readonly key: string; readonly end: () => void }[] = [];
  let running = 0;
  let most = 0;
  const put = async (key: string): Promise<{ bytes: number }> => {
    most = Math.max(most, (running += 1));
    try {
      return await new Promise((resolve) => waiting.push({ key, end: () => resolve({ bytes: 1 }) }));
    } finally {
      running -= 1;
    }
  };
  return { storage: { put } as unknown as Storage, waiting, most: () => most };
}

const none = new AbortController().signal;

describe('uploads', () => {
  it('run at most four at a time, even if uploads are added while others end', async () => {
    const held = heldStorage();
    const uploads = createUploads(held, none);
    const add = (): void => void uploads.addBuffer(Buffer.from('x'), 'key', 'video/mp4');
    for (let count = 0; count < 6; count += 1) add();
    await eventually(() => expect(held.waiting).to.have.length(4));
    for (let count = 0; count < 3; count += 1) {
      const [first] = held.waiting.splice(0, 1);
      first?.end();
      // In each microtask in which the released slot passes to another upload.
      for (let turn = 0; turn < 10; turn += 1) {
        add();
        await Promise.resolve();
      }
    }
    expect(held.most()).to.equal(4);
    const ending = setInterval(() => held.waiting.splice(0).forEach(({ end }) => end()), 1);
    await uploads.done().finally(() => clearInterval(ending));
    expect(held.most()).to.equal(4);
  });

  it('release their memory after they are stored', async () => {
    const uploads = createUploads({ storage: { put: async () => ({ bytes: 1 }) } as unknown as Storage }, none);
    const references = Array.from(
      { length: 1_000 },
      () => new WeakRef(uploads.addBuffer(Buffer.from('x'), 'key', 'video/mp4')),
    );
    await uploads.done();
    expect(await countKept(references)).to.be.below(10);
    await uploads.done();
  });

  it('reject `done` after an earlier failure, without an unhandled rejection', async () => {
    const failing = { put: () => Promise.reject(new Error('the store is full')) } as unknown as Storage;
    const uploads = createUploads({ storage: failing }, none);
    void uploads.addBuffer(Buffer.from('x'), 'key', 'video/mp4').catch(() => {});
    await uploads.ended();
    expect(await rejection(uploads.done())).to.have.property('message', 'the store is full');
  });

  it('do not start after the signal, and those in progress are awaited', async () => {
    const held = heldStorage();
    const controller = new AbortController();
    const uploads = createUploads(held, controller.signal);
    for (let count = 0; count < 6; count += 1)
      uploads.addBuffer(Buffer.from('x'), String(count), 'video/mp4').catch(() => {});
    await eventually(() => expect(held.waiting).to.have.length(4));
    controller.abort(new Error('enough'));
    let hasEnded = false;
    const ended = uploads.ended().then(() => (hasEnded = true));
    expect(hasEnded).to.equal(false);
    held.waiting.forEach(({ end }) => end());
    await ended;
    expect(held.waiting.map(({ key }) => key)).to.deep.equal(['0', '1', '2', '3']);
    expect(await rejection(uploads.done())).to.have.property('message', 'enough');
  });
});

/** The number of these objects that are still in memory after a garbage collection. */
async function countKept(references: readonly WeakRef<object>[]): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // WeakRef keeps an object until the end of the event loop iteration that created the reference.
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return references.filter((reference) => reference.deref() !== undefined).length;
}
