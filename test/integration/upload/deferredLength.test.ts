import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { rowsOf } from '../../support/tables.js';
import { ArrivingUpload } from '../../../shared/upload/upload.model.js';
import { resumableMilliseconds } from '../../../shared/upload/pieceRecorder.js';
import { UploadReservation } from '../../../shared/license/license.model.js';
import { sweepUploadsHandler } from '../../../workers/sweeps/sweepUploads.js';
import { setQuota } from '../../support/licenses.js';
import { registerUser } from '../../support/api.js';
import { storedRows } from '../../support/rows.js';
import { createTus, openTus, tusFetch } from '../../support/tus.js';
import { sha256, storedHash } from '../../support/storedHash.js';
import { uploadsFixture, tracesOf } from '../../support/uploads.js';

const megabyte = 1024 ** 2;
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
