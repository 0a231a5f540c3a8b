import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import * as tus from 'tus-js-client';
import { Upload, type UploadOptions, type UrlStorage } from 'tus-js-client';
import { openCutLine } from '../../support/cutLine.js';
import { registerUser } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { rejection } from '../../support/rejection.js';
import { sha256, storedHash } from '../../support/storedHash.js';
import { uploadsFixture, tracesOf } from '../../support/uploads.js';

const megabyte = 1024 ** 2;
/** Exported, but not declared in its types. */
const { FileUrlStorage } = tus as unknown as { readonly FileUrlStorage: new (path: string) => UrlStorage };

describe('tus-js-client in Node', function () {
  this.timeout(60_000);
  const fixture = uploadsFixture('disk');
  const { ctx } = fixture;
  const line = useFixture(() => openCutLine(fixture.api.url));
  const file = randomBytes(2 * megabyte + 333);

  for (const [name, options] of Object.entries({
    'with its default options': {},
    'with chunks of 300 kB': { chunkSize: 300_000 },
    'with data in the creation request': { uploadDataDuringCreation: true },
    'without PATCH and DELETE': { overridePatchMethod: true },
  }))
    it(`continues after a broken connection, ${name}`, async () => {
      const { user } = fixture;
      line.cutAfter(megabyte);
      const { cuts } = line;
      const offsets: number[] = [];
      const boxId = await new Promise<string | undefined>((resolve, reject) => {
        new Upload(file, {
          endpoint: `${line.url}/api/box/tus`,
          headers: { Authorization: `Bearer ${user.token}` },
          metadata: { title: 'À la mer', filename: 'mer.mp4', tag: 'sea' },
          retryDelays: [0, 100, 200],
          ...options,
          onChunkComplete: (_size, accepted) => offsets.push(accepted),
          onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Box-Id')),
          onError: reject,
        }).start();
      });
      expect(line.cuts).to.equal(cuts + 1);
      expect(offsets.at(-1)).to.equal(file.length);
      expect(await storedHash(ctx, boxId ?? '')).to.equal(sha256(file));
      expect(await tracesOf(ctx, user)).to.include({ reservations: 0, items: 1 });
      const { body } = await fixture.api.call('GET', `/api/box/${boxId}`, { token: user.token });
      expect(body).to.deep.include({ title: 'À la mer', tags: ['sea'] });
    });

  const sendOnce = (body: Buffer | Readable, options: UploadOptions): Promise<string> =>
    new Promise((resolve, reject) => {
      new Upload(body, {
        endpoint: `${fixture.api.url}/api/box/tus`,
        headers: { Authorization: `Bearer ${fixture.user.token}` },
        retryDelays: null,
        ...options,
        onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Box-Id') ?? ''),
        onError: reject,
      }).start();
    });

  it('sends the metadata of Uppy, which contain no title', async () => {
    const film = { name: 'Ferien am Meer.mp4', type: 'video/mp4' };
    const metadata = { relativePath: 'null', ...film, filename: film.name, filetype: film.type };
    const boxId = await sendOnce(Buffer.alloc(100_000, 7), { metadata });
    const { body } = await fixture.api.call('GET', `/api/box/${boxId}`, { token: fixture.user.token });
    expect(body).to.include({ title: 'Ferien am Meer' });
  });

  it('sends a stream of unknown length', async () => {
    const pieces = Array.from({ length: 9 }, (_, index) => file.subarray(index * 250_000, (index + 1) * 250_000));
    const metadata = { filename: 'stream.mp4' };
    const boxId = await sendOnce(Readable.from(pieces), { metadata, uploadLengthDeferred: true, chunkSize: 300_000 });
    expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
  });

  it('gets an error for parallel parts of a file', async () => {
    const error = await rejection(sendOnce(file, { metadata: { filename: 'parts.mp4' }, parallelUploads: 2 }));
    expect(error.message)
      .to.match(/response code: 501/)
      .and.to.match(/parallelUploads/);
    await fixture.expectNothingLeft();
  });

  it('sends the file of a deleted item again, and gets the existing item otherwise', async () => {
    const { api } = fixture;
    const user = await registerUser(api);
    const folder = await mkdtemp(join(tmpdir(), 'tus-urls-'));
    const urlStorage = new FileUrlStorage(join(folder, 'urls.json'));
    const send = (): Promise<string> =>
      new Promise((resolve, reject) => {
        const uploading = new Upload(file, {
          endpoint: `${api.url}/api/box/tus`,
          headers: { Authorization: `Bearer ${user.token}` },
          metadata: { title: 'Again' },
          urlStorage,
          onSuccess: ({ lastResponse }) => resolve(lastResponse.getHeader('Box-Id') ?? ''),
          onError: reject,
        });
        void uploading.findPreviousUploads().then(([previous]) => {
          if (previous) uploading.resumeFromPreviousUpload(previous);
          uploading.start();
        });
      });
    try {
      const first = await send();
      expect(await send()).to.equal(first);
      expect((await api.call('DELETE', `/api/box/${first}`, { token: user.token })).status).to.be.within(200, 204);
      const second = await send();
      expect(second).not.to.be.oneOf(['', first]);
      expect(await storedHash(ctx, second)).to.equal(sha256(file));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('gets the reason of a rejection, and removes an aborted upload', async () => {
    const { user } = fixture;
    const uploadOf = (bytes: number): Promise<string> =>
      new Promise((resolve) => {
        new Upload(Buffer.alloc(bytes), {
          endpoint: `${line.url}/api/box/tus`,
          headers: { Authorization: `Bearer ${user.token}`, 'Accept-Language': 'it' },
          metadata: { title: 'A video' },
          onSuccess: () => resolve('done'),
          onError: (error) => resolve('originalResponse' in error ? (error.originalResponse?.getBody() ?? '') : ''),
        }).start();
      });
    expect(JSON.parse(await uploadOf(4 * megabyte))).to.include({ status: 413, exception: 'PayloadTooLargeException' });

    const begun = new Upload(file, {
      endpoint: `${fixture.api.url}/api/box/tus`,
      headers: { Authorization: `Bearer ${user.token}` },
      metadata: { title: 'A video' },
      chunkSize: megabyte,
      onChunkComplete: () => void begun.abort(true).then(ended),
    });
    let ended: () => void = () => {};
    const aborted = new Promise<void>((resolve) => (ended = resolve));
    begun.start();
    await aborted;
    await fixture.expectNothingLeft();
  });
});
