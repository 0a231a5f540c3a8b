import { once } from 'node:events';
import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import {
  handmadeForm,
  noTraces,
  rawUpload,
  sendForm,
  uploadsFixture,
  tracesOf,
  upload,
} from '../../support/uploads.js';
import { makeThumbnail } from '../../support/rows.js';

const megabyte = 1024 ** 2;
const videoPart = { name: 'file', fileName: 'video.mp4', value: Buffer.alloc(100_000, 3) };
const title = { name: 'title', value: 'A video' };

for (const kind of ['disk', 'S3'] as const) {
  describe(`POST /api/box, files in ${kind}`, () => {
    const { ctx, api, user, expectNothingLeft } = uploadsFixture(kind);

    it('201: accepts the parts in any order', async () => {
      const response = await sendForm(api, user, [
        { name: 'tag', value: ' b ' },
        videoPart,
        { name: 'tag', value: 'a' },
        { name: 'tag', value: 'b' },
        title,
        { name: 'description', value: 'Long' },
      ]);
      expect(response?.status).to.equal(201);
      expect(response?.body).to.include({
        title: 'A video',
        description: 'Long',
        source: 'UPLOAD',
        status: 'PENDING',
        vodCount: 0,
      });
      expect(response?.body.tags).to.deep.equal(['b', 'a']);
      expect(response?.body.contentId).to.equal(`urn:video:content:${response?.body.resourceId}`);
      expect(await tracesOf(ctx, user)).to.deep.equal({
        ...noTraces,
        contents: 1,
        items: 1,
        originalBytes: 100_000,
        files: 1,
      });
    });

    it('201: accepts an upload of unknown length, and one with `Expect: 100-continue`', async () => {
      const { boundary, body } = handmadeForm([title, videoPart]);
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
      const chunked = await rawUpload(api, user, { ...headers, 'Transfer-Encoding': 'chunked' }, (socket) => {
        socket.write(`${body.length.toString(16)}\r\n`);
        socket.write(body);
        socket.write('\r\n0\r\n\r\n');
      });
      expect(chunked?.status).to.equal(201);
      const patient = await rawUpload(
        api,
        user,
        { ...headers, 'Content-Length': body.length, Expect: '100-continue' },
        async (socket) => {
          await once(socket, 'leave');
          socket.write(body);
        },
      );
      expect(patient?.status).to.equal(201);
      expect((await usageOf(ctx, user.userId)).reservedBytes).to.equal(0);
    });

    it('413: rejects by Content-Length before the body has arrived, and the response can be read', async () => {
      const { boundary } = handmadeForm([]);
      const headers = {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': 10_000 * megabyte,
      };
      const response = await rawUpload(api, user, headers, () => {});
      expect(response?.status).to.equal(413);
      const patient = await rawUpload(api, user, { ...headers, Expect: '100-continue' }, (socket) => {
        socket.once('leave', () => expect.fail('it was given leave to send'));
      });
      expect(patient?.status).to.equal(413);
      const eager = await rawUpload(api, user, headers, async (socket) => {
        for (let sent = 0; sent < 20 && !socket.destroyed; sent += 1)
          if (!socket.write(Buffer.alloc(megabyte))) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      });
      expect(eager?.status).to.equal(413);
      await expectNothingLeft();
    });

    it('leaves nothing when the client disconnects', async () => {
      const { boundary, body } = handmadeForm([title, { ...videoPart, value: Buffer.alloc(2 * megabyte) }]);
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': body.length };
      for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
        await rawUpload(api, user, headers, async (socket) => {
          socket.write(body.subarray(0, megabyte));
          await eventually(async () => expect(await tracesOf(ctx, user)).to.include({ reservations: 1 }));
          socket[leave]();
        });
        await expectNothingLeft();
      }
    });

    it('409: rejects the second of two uploads with one contentIdentifier, also at the same time', async () => {
      const parts = { fields: [['contentIdentifier', 'my video']] as const };
      const responses = await Promise.all([
        upload(api, user, parts),
        upload(api, user, parts),
        upload(api, user, parts),
      ]);
      expect(responses.map(({ status }) => status).toSorted((left, right) => left - right)).to.deep.equal([
        201, 409, 409,
      ]);
      expect(responses.find(({ status }) => status === 409)?.body.exception).to.contain(
        'DataIntegrityViolationException',
      );
      expect((await upload(api, user, parts)).status).to.equal(409);
      expect(await tracesOf(ctx, user)).to.deep.equal({
        ...noTraces,
        contents: 1,
        items: 1,
        originalBytes: 50_000,
        files: 1,
      });
    });

    it('201: uses a UUID or URN as the content’s id; the same text of two owners gives two contents', async () => {
      const id = crypto.randomUUID();
      const byUrn = await upload(api, user, {
        fields: [['contentIdentifier', `urn:video:content:${id.toUpperCase()}`]],
      });
      expect(byUrn.body.contentId).to.equal(`urn:video:content:${id}`);
      expect((await upload(api, user, { fields: [['contentIdentifier', id]] })).status).to.equal(409);
      const other = await registerUser(api);
      expect((await upload(api, other, { fields: [['contentIdentifier', id]] })).status).to.equal(409);
      const [mine, theirs] = await Promise.all(
        [user, other].map((owner) => upload(api, owner, { fields: [['contentIdentifier', 'summer']] })),
      );
      expect([mine?.status, theirs?.status]).to.deep.equal([201, 201]);
      expect(mine?.body.contentId).to.not.equal(theirs?.body.contentId);
    });

    it('400: rejects the thumbnail of another user', async () => {
      const other = await registerUser(api);
      const thumbnailId = await makeThumbnail(ctx, other.userId);
      const fields = [['thumbnailId', thumbnailId]] as const;
      expect((await upload(api, user, { fields })).status).to.equal(400);
      await expectNothingLeft();
      expect((await upload(api, other, { fields })).body.thumbnailId).to.equal(thumbnailId);
    });
  });
}
