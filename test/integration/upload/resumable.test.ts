import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import sinon from 'sinon';
import { rowsOf } from '../../support/requirements.js';
import { eventually } from '../../support/eventually.js';
import { registerUser } from '../../support/api.js';
import { createTus, metadataOf, offsetStream, openTus, tusAt, tusFetch, type TusUpload } from '../../support/tus.js';
import { sha256, storedHash, makeThumbnail, removeRows, storedRows } from '../../support/rows.js';
import { uploadsFixture, noTraces, tracesOf } from '../../support/uploads.js';
import { notifyUser } from '../../../shared/user/user.jobs.js';
import { sourceKey } from '../../../shared/upload/sourceKey.js';
import { ArrivingUpload } from '../../../shared/upload/upload.model.js';
import { Thumbnail } from '../../../shared/content/thumbnail.model.js';
import { resumableMilliseconds } from '../../../shared/upload/pieceRecorder.js';
import { sweepUploadsHandler } from '../../../workers/sweeps/sweepUploads.js';

const megabyte = 1024 ** 2;

for (const { name: kind } of rowsOf([{ name: 'disk' }, { name: 'S3' }] as const, ['S3'])) {
  describe(`a resumable upload, stored in ${kind}`, function () {
    this.timeout(60_000);
    const fixture = uploadsFixture(kind);
    const { ctx, api } = fixture;
    const file = randomBytes(2 * megabyte + 12_345);
    afterEach(() => sinon.restore());

    const idOf = ({ url }: TusUpload): string => url.split('/').at(-1) ?? '';

    it('arrives in several requests, and becomes one box item with all fields', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length, {
        title: 'Holiday',
        description: 'By the sea',
        tag: 'sea\nsun',
        filename: '../sea.mp4',
      });
      expect(await upload.head()).to.deep.include({ offset: 0, boxId: null });
      for (let offset = 0; offset < file.length; offset += megabyte) {
        const response = await upload.patch(offset, file.subarray(offset, offset + megabyte));
        expect(response.status).to.equal(204);
        expect(Number(response.headers.get('Upload-Offset'))).to.equal(Math.min(offset + megabyte, file.length));
      }
      const { offset, boxId } = await upload.head();
      expect(offset).to.equal(file.length);
      const { body } = await api.call('GET', `/api/box/${boxId}`, { token: user.token });
      expect(body).to.include({ title: 'Holiday', description: 'By the sea', status: 'PENDING' });
      expect(body.tags).to.deep.equal(['sea', 'sun']);
      expect(await storedHash(ctx, boxId ?? '')).to.equal(sha256(file));
      expect(await tracesOf(ctx, user)).to.include({ items: 1, reservations: 0, originalBytes: file.length, files: 1 });
      expect(await fixture.unfinished()).to.deep.equal([]);
    });

    it('may start with its creation, and is one item also if its last request is repeated', async () => {
      const { user } = fixture;
      const begun = await tusFetch(api, user, `${api.url}/api/box/tus`, {
        method: 'POST',
        headers: {
          ...offsetStream,
          'Upload-Length': String(file.length),
          'Upload-Metadata': metadataOf({ title: 'Twice' }),
        },
        body: file.subarray(0, megabyte),
      });
      expect([begun.status, begun.headers.get('Upload-Offset')]).to.deep.equal([201, String(megabyte)]);
      expect(Date.parse(begun.headers.get('Upload-Expires') ?? '')).to.be.above(ctx.clock.now().getTime());
      const upload = tusAt(api, user, begun.headers.get('Location') ?? '');
      const last = await upload.patch(megabyte, file.subarray(megabyte));
      const boxId = last.headers.get('Box-Id') ?? '';
      expect(boxId).to.match(/^[0-9a-f-]{36}$/);
      expect((await upload.patch(megabyte, file.subarray(megabyte))).status).to.equal(409);
      const again = await upload.patch(file.length, new Uint8Array());
      expect([again.status, again.headers.get('Box-Id')]).to.deep.equal([204, boxId]);
      expect(await tracesOf(ctx, user)).to.include({ items: 1, contents: 1 });
      expect(await storedHash(ctx, boxId)).to.equal(sha256(file));
    });

    it('keeps the bytes received before a disconnection', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      const aborted = new AbortController();
      const body = new ReadableStream({ start: (controller) => controller.enqueue(file.subarray(0, megabyte)) });
      const cut = tusFetch(api, user, upload.url, {
        method: 'PATCH',
        headers: { ...offsetStream, 'Upload-Offset': '0' },
        body,
        duplex: 'half',
        signal: aborted.signal,
      }).catch(() => null);
      await eventually(async () => {
        const [row] = await storedRows(ctx, ArrivingUpload, { id: idOf(upload) });
        expect(row?.leaseOwner).to.be.a('string');
      });
      aborted.abort();
      await cut;
      const { offset } = await upload.head();
      expect(offset).to.be.within(1, megabyte);
      const { headers } = await upload.patch(offset, file.subarray(offset));
      expect(await storedHash(ctx, headers.get('Box-Id') ?? '')).to.equal(sha256(file));
    });

    it('is continued by the newer of two concurrent requests', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      const halves = [0, 0].map((offset) => upload.patch(offset, file));
      const statuses = (await Promise.all(halves)).map(({ status }) => status);
      expect(statuses).to.have.members([204, 409]);
      const { boxId } = await upload.head();
      expect(await storedHash(ctx, boxId ?? '')).to.equal(sha256(file));
      expect(await tracesOf(ctx, user)).to.include({ items: 1 });
    });

    it('discards the bytes of a request with a wrong checksum', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      const checksum = (bytes: Uint8Array) => ({
        'Upload-Checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
      });
      const wrong = await upload.patch(0, file, checksum(file.subarray(1)));
      expect(wrong.status).to.equal(460);
      expect((await upload.head()).offset).to.equal(0);
      const right = await upload.patch(0, file, checksum(file));
      expect(right.status).to.equal(204);
      expect(await storedHash(ctx, right.headers.get('Box-Id') ?? '')).to.equal(sha256(file));
    });

    it('becomes an item in the sweep if its last request was lost after the last byte', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      await upload.patch(0, file.subarray(0, megabyte));
      const id = idOf(upload);
      const key = sourceKey(id);
      const record = async (piece: { start: number; bytes: number; name: string }) =>
        void (await ctx.db.change(
          `WITH grown AS (UPDATE arriving_uploads SET received_bytes = total_bytes WHERE id = $id RETURNING id)
           INSERT INTO upload_pieces (upload_id, start, bytes, name) SELECT id, $start::bigint, $bytes::bigint, $name FROM grown`,
          { id, ...piece },
        ));
      await ctx.storage.arrivals.append(key, Readable.from([file.subarray(megabyte)], { objectMode: false }), {
        start: megabyte,
        totalBytes: file.length,
        stored: record,
      });
      await sweep();
      const { boxId } = await upload.head();
      expect(await storedHash(ctx, boxId ?? '')).to.equal(sha256(file));
    });

    it('becomes an item without its thumbnail if that was removed, and its owner is mailed', async () => {
      const { user } = fixture;
      const added = sinon.spy(ctx.outbox, 'add');
      const thumbnailId = await makeThumbnail(ctx, user.userId);
      const upload = await openTus(api, user, file.length, { title: 'Holiday', thumbnailId });
      await upload.patch(0, file.subarray(0, megabyte));
      await removeRows(ctx, Thumbnail, { id: thumbnailId });
      const { headers, status } = await upload.patch(megabyte, file.subarray(megabyte));
      expect(status).to.equal(204);
      const { body } = await api.call('GET', `/api/box/${headers.get('Box-Id')}`, { token: user.token });
      expect(body).to.include({ title: 'Holiday' }).and.not.have.property('thumbnailId');
      const mails = added.args.filter(
        ([, job, payload]) => job === notifyUser && 'userId' in payload && payload.userId === user.userId,
      );
      expect(mails.map(([, , payload]) => payload)).to.containSubset([
        { key: 'thumbnailLeftOut', values: { title: 'Holiday' } },
      ]);
      expect(mails).to.have.lengthOf(1);
    });

    it('is accessible only to its owner', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      const stranger = tusAt(api, await registerUser(api), upload.url);
      expect((await stranger.patch(0, file)).status).to.equal(404);
      expect((await tusFetch(api, await registerUser(api), upload.url, { method: 'DELETE' })).status).to.equal(404);
      expect((await upload.head()).offset).to.equal(0);
      expect((await tusFetch(api, user, upload.url, { method: 'DELETE' })).status).to.equal(204);
    });

    it('is rejected for the same reasons as a form, and nothing is stored', async () => {
      const { user } = fixture;
      const statusOf = async (bytes: number, pairs?: Record<string, string>, headers?: Record<string, string>) =>
        (await createTus(api, user, bytes, pairs, headers)).status;
      expect(await statusOf(4 * megabyte)).to.equal(413);
      expect(await statusOf(10, {})).to.equal(400);
      expect(await statusOf(0)).to.equal(400);
      expect(await statusOf(10, { title: 'x', thumbnailId: '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20' })).to.equal(400);
      expect(await statusOf(10, undefined, { 'Tus-Resumable': '0.2.2' })).to.equal(412);
      expect(await statusOf(10, undefined, { 'Upload-Length': '-1' })).to.equal(400);
      expect(await statusOf(10, undefined, { 'Upload-Metadata': 'title x,title y' })).to.equal(400);
      expect(await statusOf(10, undefined, { 'Upload-Concat': 'partial' })).to.equal(501);
      expect(await statusOf(10, undefined, { 'Upload-Defer-Length': '1' })).to.equal(400);
      expect(await statusOf(10, undefined, { 'Upload-Defer-Length': '0' })).to.equal(400);
      expect(await tracesOf(ctx, user)).to.deep.equal(noTraces);
    });

    it('is continued only with its own content type', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      for (const type of ['application/octet-stream', 'video/mp4', ''])
        expect((await upload.patch(0, file, { 'Content-Type': type })).status, type).to.equal(415);
      expect((await upload.head()).offset).to.equal(0);
      await tusFetch(api, user, upload.url, { method: 'DELETE' });
    });

    it('has the title from its metadata, or its file name without path and extension', async () => {
      const { user } = fixture;
      for (const [pairs, title] of [
        [{ filename: 'Über den Fluß.v2.MOV', filetype: 'video/quicktime' }, 'Über den Fluß.v2'],
        [{ name: 'a river.webm', type: 'video/webm' }, 'a river'],
        [{ filename: '../films/river' }, 'river'],
        [{ filename: 'Dr. Who' }, 'Dr. Who'],
        [{ filename: `${'🎬'.repeat(200)}.mp4` }, '🎬'.repeat(127)],
        [{ filename: 'x.mp4', title: ' ' }, 'x'],
        [{ filename: 'x.mp4', title: 'The river' }, 'The river'],
      ] as const) {
        const upload = await openTus(api, user, 10, pairs);
        const { headers } = await upload.patch(0, file.subarray(0, 10));
        const { body } = await api.call('GET', `/api/box/${headers.get('Box-Id')}`, { token: user.token });
        expect(body, JSON.stringify(pairs)).to.include({ title });
      }
    });

    it('reserves its size at creation, and releases it when it is removed or abandoned', async () => {
      const { user } = fixture;
      const upload = await openTus(api, user, file.length);
      await upload.patch(0, file.subarray(0, megabyte));
      expect(await tracesOf(ctx, user)).to.include({ reservedBytes: file.length, reservedUploads: 1, items: 0 });
      expect((await tusFetch(api, user, upload.url, { method: 'DELETE' })).status).to.equal(204);
      await fixture.expectNothingLeft();
      expect((await tusFetch(api, user, upload.url, { method: 'HEAD' })).status).to.equal(404);

      const left = await openTus(api, user, file.length);
      await left.patch(0, file.subarray(0, megabyte));
      ctx.clock.advance(resumableMilliseconds - 60_000);
      await sweep();
      expect(await storedRows(ctx, ArrivingUpload, { id: idOf(left) })).to.have.lengthOf(1);
      ctx.clock.advance(resumableMilliseconds + 60_000);
      await sweep();
      await fixture.expectNothingLeft();
      expect(await storedRows(ctx, ArrivingUpload, { id: idOf(left) })).to.deep.equal([]);
    });

    const sweep = () => sweepUploadsHandler({ ctx, log: ctx.log, signal: new AbortController().signal } as never);
  });
}
