import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { NotFoundError } from '../../shared/platform/errors.js';
import { rejection } from '../support/rejection.js';
import { testStores } from '../support/stores.js';
import { useFixture } from '../support/fixtures.js';

const options = { contentType: 'application/octet-stream' };

for (const [name, open] of Object.entries(testStores)) {
  describe(`storage copies: ${name}`, () => {
    const backend = useFixture(open);
    const storage = useFixture(() => backend.storage);

    const textOf = async (key: string): Promise<string> =>
      Buffer.concat(await (await storage.read(key)).toArray()).toString();

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
