import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import * as tus from 'tus-js-client';
import { Upload, type UploadOptions, type UrlStorage } from 'tus-js-client';
import { openCutLine } from '../../support/loopbackServer.js';
import { registerUser } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { sha256, storedHash, storedRows } from '../../support/rows.js';
import { uploadsFixture, tracesOf } from '../../support/uploads.js';
import { rowsOf } from '../../support/requirements.js';
import { ArrivingUpload } from '../../../shared/upload/upload.model.js';
import { resumableMilliseconds } from '../../../shared/upload/pieceRecorder.js';
import { UploadReservation } from '../../../shared/license/license.model.js';
import { sweepUploadsHandler } from '../../../workers/sweeps/sweepUploads.js';
import { setQuota } from '../../support/licenses.js';
import { createTus, openTus, tusFetch } from '../../support/tus.js';

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

  it('sends a stream of unknown length', async () => {
    const pieces = Array.from({ length: 9 }, (_, index) => file.subarray(index * 250_000, (index + 1) * 250_000));
    const metadata = { filename: 'stream.mp4' };
    const boxId = await sendOnce(Readable.from(pieces), { metadata, uploadLengthDeferred: true, chunkSize: 300_000 });
    expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
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

const gigabyte = 1024 ** 3;

for (const { name: kind } of rowsOf([{ name: 'disk' }, { name: 'S3' }] as const, ['disk']))
  describe(`an upload that declares its length later, stored in ${kind}`, function () {
    this.timeout(60_000);
    const fixture = uploadsFixture(kind);
    const { ctx, api } = fixture;
    const file = randomBytes(2 * megabyte + 12_345);
    const lengthOf = (bytes: number) => ({ 'Upload-Length': String(bytes) });
    const idOf = ({ url }: { readonly url: string }): string => url.split('/').at(-1) ?? '';
    const sweep = () => sweepUploadsHandler({ ctx, log: ctx.log, signal: new AbortController().signal } as never);

    it('reserves storage as bytes arrive, and becomes an item with its last byte', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, null);
      expect(await tracesOf(ctx, user)).to.include({ reservedBytes: 0, reservedUploads: 1 });
      for (let offset = 0; offset < 2 * megabyte; offset += megabyte) {
        expect((await upload.patch(offset, file.subarray(offset, offset + megabyte))).status).to.equal(204);
        const { headers, boxId } = await upload.head();
        expect([headers.get('Upload-Defer-Length'), headers.get('Upload-Length'), boxId]).to.deep.equal([
          '1',
          null,
          null,
        ]);
      }
      const [reservation] = await storedRows(ctx, UploadReservation, { id: idOf(upload) });
      expect(reservation?.bytes).to.be.within(2 * megabyte, 64 * megabyte);
      const dayLater = ctx.clock.now().getTime() + resumableMilliseconds;
      expect(reservation?.expiresAt.getTime()).to.be.within(dayLater - 60_000, dayLater);
      const last = await upload.patch(2 * megabyte, file.subarray(2 * megabyte), lengthOf(file.length));
      expect(last.status).to.equal(204);
      const { headers } = await upload.head();
      expect([headers.get('Upload-Defer-Length'), headers.get('Upload-Length')]).to.deep.equal([
        null,
        `${file.length}`,
      ]);
      expect(await storedHash(ctx, last.headers.get('Box-Id') ?? '')).to.equal(sha256(file));
      const item = { items: 1, reservations: 0, reservedBytes: 0, originalBytes: file.length, files: 1 };
      expect(await tracesOf(ctx, user)).to.include(item);
      expect(await fixture.unfinished()).to.deep.equal([]);
    });

    it('becomes an item when its length is declared after its last byte', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, null);
      await upload.patch(0, file);
      await sweep();
      expect((await upload.head()).boxId).to.equal(null);
      const { headers } = await upload.patch(file.length, new Uint8Array(), lengthOf(file.length));
      expect(await storedHash(ctx, headers.get('Box-Id') ?? '')).to.equal(sha256(file));
    });

    it('accepts one length, which covers the received bytes and is within the limits', async () => {
      const user = await registerUser(api);
      await setQuota(ctx, user.userId, { renditionBytes: gigabyte - 2.5 * megabyte });
      const upload = await openTus(api, user, null);
      await upload.patch(0, file.subarray(0, megabyte));
      const statusOf = async (bytes: number): Promise<number> =>
        (await upload.patch(megabyte, new Uint8Array(), lengthOf(bytes))).status;
      expect(await statusOf(megabyte - 1)).to.equal(400);
      expect(await statusOf(4 * megabyte)).to.equal(413);
      expect(await statusOf(3 * megabyte)).to.equal(413);
      expect(await statusOf(file.length)).to.equal(204);
      expect(await statusOf(file.length)).to.equal(400);
      const { headers } = await upload.patch(megabyte, file.subarray(megabyte));
      expect(await storedHash(ctx, headers.get('Box-Id') ?? '')).to.equal(sha256(file));
      const empty = await openTus(api, user, null);
      expect((await empty.patch(0, new Uint8Array(), lengthOf(0))).status).to.equal(400);
      await tusFetch(api, user, empty.url, { method: 'DELETE' });
      expect(await tracesOf(ctx, user)).to.include({ items: 1, reservations: 0, reservedBytes: 0 });
    });

    it('stores no byte without a reservation, for concurrent uploads', async () => {
      const user = await registerUser(api);
      await setQuota(ctx, user.userId, { renditionBytes: gigabyte - 3 * megabyte });
      const uploads = await Promise.all(Array.from({ length: 8 }, () => openTus(api, user, null)));
      const patches = await Promise.all(uploads.map((upload) => upload.patch(0, file.subarray(0, megabyte))));
      const statuses = patches.map(({ status }) => status);
      expect(statuses.filter((status) => status === 204).length).to.be.at.most(3);
      expect(new Set(statuses.filter((status) => status !== 204))).to.deep.equal(new Set([413]));
      const rows = await storedRows(ctx, ArrivingUpload, { userId: user.userId });
      const received = rows.reduce((sum, { receivedBytes }) => sum + receivedBytes, 0);
      expect(received).to.be.at.most(3 * megabyte);
      for (const { url } of uploads) await tusFetch(api, user, url, { method: 'DELETE' });
      expect(await tracesOf(ctx, user)).to.include({ reservations: 0, reservedBytes: 0, reservedUploads: 0, files: 0 });
      expect(await fixture.unfinished()).to.deep.equal([]);
    });

    it('ends above the maximum length, and is removed when nobody continues it', async () => {
      const user = await registerUser(api);
      const upload = await openTus(api, user, null);
      expect((await upload.patch(0, randomBytes(3 * megabyte + 1))).status).to.equal(400);
      ctx.clock.advance(resumableMilliseconds + 60_000);
      await sweep();
      expect(await tracesOf(ctx, user)).to.include({ reservations: 0, reservedBytes: 0, reservedUploads: 0, files: 0 });
      expect(await storedRows(ctx, ArrivingUpload, { id: idOf(upload) })).to.deep.equal([]);
    });

    it('counts as an upload of the plan from its creation', async () => {
      const user = await registerUser(api);
      await setQuota(ctx, user.userId, { uploads: 99 });
      const upload = await openTus(api, user, null);
      expect((await createTus(api, user, null)).status).to.equal(409);
      await tusFetch(api, user, upload.url, { method: 'DELETE' });
    });
  });
