import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { NotFoundError, RangeNotSatisfiableError } from '../../shared/platform/errors.js';
import type { Storage } from '../../shared/platform/storage/storage.js';
import { eventually, rejection } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { testStores } from '../support/stores.js';

const options = { contentType: 'application/octet-stream' };
const megabyte = 1024 ** 2;

for (const [name, open] of Object.entries(testStores)) {
  describe(`storage: ${name}`, () => {
    const backend = useFixture(open);
    const storage = useFixture(() => backend.storage);

    async function textOf(key: string, range?: { readonly start: number; readonly end: number }): Promise<string> {
      return Buffer.concat(await (await storage.read(key, range)).toArray()).toString();
    }

    it('returns a written file with size, time and a strong validator', async () => {
      expect(await storage.put('sources/a/original', Buffer.from('hello'), options)).to.deep.equal({ bytes: 5 });
      expect(await textOf('sources/a/original')).to.equal('hello');
      const stat = await storage.stat('sources/a/original');
      expect(stat).to.include({ key: 'sources/a/original', bytes: 5 });
      expect(stat?.etag).to.match(/^"[^"]+"$/);
      expect(Math.abs(Date.now() - Number(stat?.modifiedAt))).to.be.below(60_000);
    });

    it('streams many parts in and out unchanged', async () => {
      const parts = Array.from({ length: 20 }, () => randomBytes(megabyte + 1));
      const { bytes } = await storage.put('sources/large/original', Readable.from(parts), options);
      expect(bytes).to.equal(20 * (megabyte + 1));
      const hash = createHash('sha256');
      for await (const part of await storage.read('sources/large/original')) hash.update(part as Buffer);
      expect(hash.digest('hex')).to.equal(createHash('sha256').update(Buffer.concat(parts)).digest('hex'));
      expect(await backend.unfinished()).to.deep.equal([]);
    });

    it('stores an empty file', async () => {
      expect(await storage.put('sources/empty/original', Readable.from([]), options)).to.deep.equal({ bytes: 0 });
      expect(await textOf('sources/empty/original')).to.equal('');
    });

    it('replaces a file completely', async () => {
      await storage.put('sources/b/original', Buffer.from('the first and longer one'), options);
      const before = await storage.stat('sources/b/original');
      await storage.put('sources/b/original', Buffer.from('second'), options);
      expect(await textOf('sources/b/original')).to.equal('second');
      expect((await storage.stat('sources/b/original'))?.etag).to.not.equal(before?.etag);
    });

    it('reads ranges, and throws for a range past the end', async () => {
      await storage.put('sources/c/original', Buffer.from('0123456789'), options);
      expect(await textOf('sources/c/original', { start: 2, end: 4 })).to.equal('234');
      expect(await textOf('sources/c/original', { start: 8, end: 100 })).to.equal('89');
      const error = await rejection(storage.read('sources/c/original', { start: 10, end: 12 }));
      expect(error).to.be.instanceOf(RangeNotSatisfiableError).and.include({ totalBytes: 10 });
    });

    it('returns null or throws NotFoundError for a missing file', async () => {
      expect(await storage.stat('sources/none/original')).to.equal(null);
      expect(await storage.stat('sources')).to.equal(null);
      expect(await rejection(storage.read('sources/none/original'))).to.be.instanceOf(NotFoundError);
      expect(await rejection(storage.fetch('sources/none/original', join(tmpdir(), 'never')))).to.be.instanceOf(
        NotFoundError,
      );
      await storage.remove(['sources/none/original']);
      await storage.removeAll('sources/none');
    });

    it('throws a TypeError for keys that leave the root or that a backend does not support', async () => {
      const outside = ['../outside', 'a/../../outside', '/etc/passwd', 'a/%2e%2e/b', '.hidden/a', 'a/.'];
      for (const key of [...outside, 'a//b', '', 'a/', 'a\\b', 'a b', 'a\0b', 'é', 'x'.repeat(600)]) {
        const calls = [
          ...[storage.put(key, Buffer.from('x'), options), storage.read(key), storage.stat(key)],
          storage.remove([key]),
        ];
        const errors = await Promise.all(calls.map((call: Promise<unknown>) => rejection(call)));
        for (const error of errors) expect(error, key).to.be.instanceOf(TypeError);
        expect(() => storage.localPath(key), key).to.throw(TypeError);
      }
    });

    it('leaves nothing behind after a put whose body fails', async () => {
      for (const megabytes of [1, 20]) {
        const error = await rejection(storage.put('sources/broken/original', failingAfter(megabytes), options));
        expect(error).to.be.instanceOf(Error).and.include({ message: 'the client disconnected' });
      }
      expect(await storage.stat('sources/broken/original')).to.equal(null);
      expect(await backend.unfinished()).to.deep.equal([]);
    });

    it('leaves nothing behind after a put that is aborted at any time', async () => {
      for (const megabytes of [0, 1, 20]) {
        const abort = new AbortController();
        const putting = storage.put(
          'sources/aborted/original',
          stallingAfter(megabytes, () => abort.abort(new Error('enough'))),
          { ...options, signal: abort.signal },
        );
        expect(await rejection(putting)).to.be.instanceOf(Error);
      }
      const already = AbortSignal.abort(new Error('before'));
      expect(
        await rejection(storage.put('sources/aborted/original', Buffer.from('x'), { ...options, signal: already })),
      ).to.include({ message: 'before' });
      expect(await storage.stat('sources/aborted/original')).to.equal(null);
      expect(await backend.unfinished()).to.deep.equal([]);
    });

    it('keeps the old file if a put to the same key fails', async () => {
      await storage.put('sources/kept/original', Buffer.from('old'), options);
      await rejection(storage.put('sources/kept/original', failingAfter(1), options));
      expect(await textOf('sources/kept/original')).to.equal('old');
    });

    it('downloads a file to a local path and replaces an existing file', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'video-platform-fetch-'));
      await storage.put('sources/d/original', Buffer.from('fetched'), options);
      await storage.fetch('sources/d/original', join(folder, 'source'));
      await storage.fetch('sources/d/original', join(folder, 'source'));
      expect(await readFile(join(folder, 'source'), 'utf8')).to.equal('fetched');
      await rm(folder, { recursive: true });
      expect(await storage.stat('sources/d/original')).to.not.equal(null);
    });

    it('lists and removes exactly one folder', async () => {
      for (const key of ['content/x/g1/a.m4s', 'content/x/g1/b/c.m4s', 'content/xy/g1/a.m4s'])
        await storage.put(key, Buffer.from(key), options);
      expect(await keysIn(storage, 'content/x')).to.deep.equal(['content/x/g1/a.m4s', 'content/x/g1/b/c.m4s']);
      expect(await keysIn(storage, 'content/x/')).to.deep.equal(['content/x/g1/a.m4s', 'content/x/g1/b/c.m4s']);
      const all = await keysIn(storage, 'content');
      for (const [position, after] of all.entries()) {
        const behind = [];
        for await (const { key } of storage.list('content', after)) behind.push(key);
        expect(behind, `behind ${after}`).to.deep.equal(all.slice(position + 1));
      }
      await storage.removeAll('content/x');
      expect(await keysIn(storage, 'content')).to.deep.equal(['content/xy/g1/a.m4s']);
      expect(await rejection(storage.removeAll(''))).to.be.instanceOf(TypeError);
      expect(await keysIn(storage, 'content')).to.have.length(1);
    });

    it('removes more files than one protocol request permits', async function () {
      this.timeout(60_000);
      const keys = Array.from({ length: 1_050 }, (_, index) => `content/many/${index}`);
      await backend.fill(keys);
      expect(await keysIn(storage, 'content/many')).to.have.length(keys.length);
      await storage.removeAll('content/many');
      expect(await keysIn(storage, 'content/many')).to.deep.equal([]);
    });

    it('writes into a folder that is being removed', async () => {
      for (let round = 0; round < 20; round += 1) {
        await storage.put('content/race/old', Buffer.from('x'), options);
        await Promise.all([
          storage.remove(['content/race/old']),
          storage.put('content/race/new', Buffer.from('y'), options),
        ]);
        expect(await storage.stat('content/race/new')).to.not.equal(null);
      }
    });

    it('leaves nothing behind after a check', async () => {
      await storage.check();
      expect(await keysIn(storage, 'check')).to.deep.equal([]);
    });

    it('removes the remains of an interrupted put after their minimum age', async () => {
      const stalled = stallingAfter(20, () => {});
      const putting = rejection(storage.put('sources/crashed/original', stalled, options));
      await eventually(async () => expect(await backend.unfinished()).to.have.length(1));
      expect(await storage.removeUnfinished(new Date(Date.now() - 60_000))).to.equal(0);
      expect(await storage.removeUnfinished(new Date(Date.now() + 60_000))).to.equal(1);
      expect(await backend.unfinished()).to.deep.equal([]);
      stalled.destroy(new Error('over'));
      await putting;
    });

    it('stores a local file', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'video-platform-store-'));
      const path = join(folder, 'local');
      await writeFile(path, 'from here');
      expect(await storage.putFile('sources/f/original', path, options)).to.deep.equal({ bytes: 9 });
      await rm(folder, { recursive: true });
      expect(await textOf('sources/f/original')).to.equal('from here');
      expect(await backend.unfinished()).to.deep.equal([]);
    });

    it('copies a file, and keeps the copy when the original is removed', async () => {
      await storage.put('live/a/0.m4s', Buffer.from('segment'), options);
      await storage.put('content/b/0.m4s', Buffer.from('another one'), options);
      await storage.copy('live/a/0.m4s', 'content/b/0.m4s', options);
      await storage.copy('live/a/0.m4s', 'content/b/0.m4s', options);
      await storage.remove(['live/a/0.m4s']);
      expect(await textOf('content/b/0.m4s')).to.equal('segment');
      expect((await storage.stat('content/b/0.m4s'))?.bytes).to.equal(7);
      const missing = await rejection(storage.copy('live/a/0.m4s', 'content/b/1.m4s', options));
      expect(missing).to.be.instanceOf(NotFoundError);
      expect(await storage.stat('content/b/1.m4s')).to.equal(null);
      expect(await backend.unfinished()).to.deep.equal([]);
    });

    it('keeps the file of a key if another put or copy to it is aborted at any time', async () => {
      const key = 'content/d/init.mp4';
      await storage.put('live/d/init.mp4', Buffer.from('whole'), options);
      await storage.put(key, Buffer.from('whole'), options);
      const requested: ((supplied: typeof options & { signal: AbortSignal }, abort: () => void) => Promise<unknown>)[] =
        [
          (supplied, abort) => {
            const putting = storage.put(key, Buffer.from('whole'), supplied);
            abort();
            return putting;
          },
          (supplied, abort) => {
            const copying = storage.copy('live/d/init.mp4', key, supplied);
            abort();
            return copying;
          },
          // The abort arrives while the body is read.
          (supplied, abort) => {
            const body = Readable.from([Buffer.from('whole')], { objectMode: false });
            body.once('end', abort);
            return storage.put(key, body, supplied);
          },
        ];
      for (const request of requested) {
        const controller = new AbortController();
        const requesting = request({ ...options, signal: controller.signal }, () =>
          controller.abort(new Error('stopped')),
        );
        expect(await rejection(requesting)).to.be.instanceOf(Error);
        expect(await textOf(key)).to.equal('whole');
      }
      expect(await backend.unfinished()).to.deep.equal([]);
    });

    it('leaves nothing behind after an aborted copy', async () => {
      await storage.put('live/c/0.m4s', Buffer.from('segment'), options);
      const aborted = { ...options, signal: AbortSignal.abort(new Error('stopped')) };
      const error = await rejection(storage.copy('live/c/0.m4s', 'content/c/0.m4s', aborted));
      expect(error).to.have.property('message', 'stopped');
      expect(await storage.stat('content/c/0.m4s')).to.equal(null);
      expect(await backend.unfinished()).to.deep.equal([]);
    });
  });
}

async function keysIn(storage: Storage, prefix: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of storage.list(prefix)) keys.push(key);
  return keys;
}

function failingAfter(megabytes: number): Readable {
  return Readable.from(
    (async function* () {
      for (let index = 0; index < megabytes; index += 1) yield Buffer.alloc(megabyte);
      throw new Error('the client disconnected');
    })(),
  );
}

/** A body that stalls after some megabytes and never ends. */
function stallingAfter(megabytes: number, onStall: () => void): Readable {
  let sent = 0;
  return new Readable({
    read() {
      sent += 1;
      if (sent <= megabytes) this.push(Buffer.alloc(megabyte));
      else setTimeout(onStall, 20);
    },
  });
}
