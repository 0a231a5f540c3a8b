import { once } from 'node:events';
import { expect } from 'chai';
import { rowsOf } from '../../support/requirements.js';
import { registerUser, type TestApi, type TestUser, bodyOf, statusesOf } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { makeThumbnail } from '../../support/rows.js';
import {
  handmadeForm,
  noTraces,
  rawUpload,
  uploadsFixture,
  tracesOf,
  upload,
  type FormPart,
  type RawResponse,
} from '../../support/uploads.js';

const megabyte = 1024 ** 2;
const file = { name: 'file', fileName: 'video.mp4', value: Buffer.alloc(100_000, 3) };
const title = { name: 'title', value: 'A video' };
const text = (name: string, length: number) => ({ name, value: 'x'.repeat(length) });
const oneItem = { ...noTraces, contents: 1, items: 1, files: 1 };

/** Forms that return 400, with the fields that the response names. */
const rejected: readonly (readonly [what: string, parts: readonly FormPart[], fields?: readonly string[]])[] = [
  ['without a title', [file], ['title']],
  ['a blank title', [{ ...title, value: '  ' }, file], ['title']],
  ['a title of 256 characters', [text('title', 256), file], ['title']],
  ['a title that no database holds', [{ ...title, value: 'a\0b' }, file], ['title']],
  ['without a file', [title], ['file']],
  ['without anything', [], ['file', 'title']],
  ['a text in place of the file', [title, { name: 'file', value: 'video' }], ['file']],
  ['an empty file', [title, { ...file, value: '' }], ['file']],
  ['two files', [title, file, file], ['file']],
  ['a file in another part', [title, { ...file, name: 'video' }], ['video']],
  ['a second file in another part', [title, file, { ...file, name: 'video' }]],
  ['a text part that is too long', [title, file, text('description', 70_000)], ['description']],
  ['too many tags', [title, file, ...Array.from({ length: 51 }, (_, index) => text('tag', index + 1))], ['tag']],
  ['a tag that is too long', [title, file, text('tag', 65)], ['tag']],
  ['too many parts', [title, file, ...Array.from({ length: 250 }, () => text('x', 1))]],
  ['a contentIdentifier that is too long', [title, file, text('contentIdentifier', 129)], ['contentIdentifier']],
  ['an unknown thumbnail', [title, file, { name: 'thumbnailId', value: crypto.randomUUID() }], ['thumbnailId']],
];

/** Valid forms in requests that return 400. */
const spoilt: readonly (readonly [what: string, spoil: FormSpoiling])[] = [
  ['a wrong boundary', { boundary: 'nothing-like-it' }],
  ['a form that breaks off', { cutBytes: 50 }],
  ['a body that is no form', { headers: { 'Content-Type': 'application/json' } }],
  ['a form without a boundary', { headers: { 'Content-Type': 'multipart/form-data' } }],
];

for (const { name: kind } of rowsOf([{ name: 'disk' }, { name: 'S3' }] as const, ['S3']))
  describe(`POST /api/box, files in ${kind}`, function () {
    this.timeout(20_000);
    const { ctx, api, user, expectNothingLeft } = uploadsFixture(kind);

    async function expectRejected(what: string, status: number, parts: readonly FormPart[], spoil?: FormSpoiling) {
      const response = await sendForm(api, user, parts, spoil);
      expect(response?.status, what).to.equal(status);
      const more = [...(response?.body.errors ? ['errors'] : []), ...(status === 413 ? ['limit'] : [])];
      expect(response?.body).to.have.keys('timestamp', 'status', 'error', 'exception', 'message', 'path', ...more);
      expect(response?.body.message, what).to.match(/\w/);
      await expectNothingLeft();
      return response?.body;
    }

    it('returns 400 for invalid forms with the names of their fields, and stores nothing', async () => {
      for (const [what, parts, fields] of rejected) {
        const { errors } = await expectRejected(what, 400, parts);
        if (fields)
          expect(
            errors.map(({ field }: { field: string }) => field),
            what,
          ).to.have.members(fields);
      }
      for (const [what, spoil] of spoilt) await expectRejected(what, 400, [title, file], spoil);
    });

    it('returns 413 for a file over the service’s limit, and stores nothing', () =>
      expectRejected('', 413, [title, { ...file, value: Buffer.alloc(3 * megabyte + 1) }]));

    it('responds as soon as a part is rejected, before the remaining bytes have arrived', async () => {
      const { boundary, body } = handmadeForm([text('description', 70_000), title, file]);
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': body.length };
      const response = await rawUpload(api, user, headers, (socket) => void socket.write(body.subarray(0, 71_000)));
      expect(response?.status).to.equal(400);
      await expectNothingLeft();
    });

    it('201: accepts the parts in any order', async () => {
      const tag = (value: string) => ({ name: 'tag', value });
      const parts = [tag(' b '), file, tag('a'), tag('b'), title, { name: 'description', value: 'Long' }];
      const response = await sendForm(api, user, parts);
      expect(response?.status).to.equal(201);
      const shown = { title: 'A video', description: 'Long', source: 'UPLOAD', status: 'PENDING', vodCount: 0 };
      const contentId = `urn:video:content:${response?.body.resourceId}`;
      expect(response?.body).to.deep.include({ ...shown, tags: ['b', 'a'], contentId });
      expect(await tracesOf(ctx, user)).to.deep.equal({ ...oneItem, originalBytes: 100_000 });
    });

    it('201: accepts an upload of unknown length, and an upload with `Expect: 100-continue`', async () => {
      const { boundary, body } = handmadeForm([title, file]);
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
      const chunked = await rawUpload(api, user, { ...headers, 'Transfer-Encoding': 'chunked' }, (socket) => {
        socket.write(`${body.length.toString(16)}\r\n`);
        socket.write(body);
        socket.write('\r\n0\r\n\r\n');
      });
      expect(chunked?.status).to.equal(201);
      const patientHeaders = { ...headers, 'Content-Length': body.length, Expect: '100-continue' };
      const patient = await rawUpload(api, user, patientHeaders, async (socket) => {
        await once(socket, 'leave');
        socket.write(body);
      });
      expect(patient?.status).to.equal(201);
      expect(await tracesOf(ctx, user)).to.include({ items: 2, reservedBytes: 0 });
    });

    it('returns 413 for the Content-Length before the body has arrived, as a readable response', async () => {
      const type = `multipart/form-data; boundary=${handmadeForm([]).boundary}`;
      const headers = { 'Content-Type': type, 'Content-Length': 10_000 * megabyte };
      const response = await rawUpload(api, user, headers, () => {});
      expect(response?.status).to.equal(413);
      const patient = await rawUpload(api, user, { ...headers, Expect: '100-continue' }, (socket) => {
        socket.once('leave', () => expect.fail('100 Continue was sent'));
      });
      expect(patient?.status).to.equal(413);
      const eager = await rawUpload(api, user, headers, async (socket) => {
        for (let sent = 0; sent < 20 && !socket.destroyed; sent += 1)
          if (!socket.write(Buffer.alloc(megabyte))) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
      });
      expect(eager?.status).to.equal(413);
      await expectNothingLeft();
    });

    it('stores nothing when the client disconnects', async () => {
      const { boundary, body } = handmadeForm([title, { ...file, value: Buffer.alloc(2 * megabyte) }]);
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

    const identified = (contentIdentifier: string, owner = user) =>
      upload(api, owner, { fields: [['contentIdentifier', contentIdentifier]] });

    it('returns 409 for the second of two uploads with one contentIdentifier, also concurrently', async () => {
      const responses = await Promise.all([1, 2, 3].map(() => identified('my video')));
      expect(statusesOf(responses)).to.deep.equal([201, 409, 409]);
      const { exception } = bodyOf(409, await identified('my video'));
      expect(exception).to.contain('DataIntegrityViolationException');
      expect(await tracesOf(ctx, user)).to.deep.equal({ ...oneItem, originalBytes: 50_000 });
    });

    it('201: uses a UUID or URN as the content’s id, and makes two contents of the same text of two owners', async () => {
      const id = crypto.randomUUID();
      const { contentId } = bodyOf(201, await identified(`urn:video:content:${id.toUpperCase()}`));
      expect(contentId).to.equal(`urn:video:content:${id}`);
      const other = await registerUser(api);
      for (const owner of [user, other]) bodyOf(409, await identified(id, owner));
      const contents = new Set();
      for (const owner of [user, other]) contents.add(bodyOf(201, await identified('summer', owner)).contentId);
      expect(contents.size).to.equal(2);
    });

    it('returns 400 for another user’s thumbnail', async () => {
      const other = await registerUser(api);
      const thumbnailId = await makeThumbnail(ctx, other.userId);
      const fields = [['thumbnailId', thumbnailId]] as const;
      bodyOf(400, await upload(api, user, { fields }));
      await expectNothingLeft();
      expect(bodyOf(201, await upload(api, other, { fields })).thumbnailId).to.equal(thumbnailId);
    });
  });

/** Changes to a valid request before it is sent. */
interface FormSpoiling {
  /** Content-Length to send instead of the correct one. */
  readonly boundary?: string;
  /** Number of bytes omitted at the end. */
  readonly cutBytes?: number;
  readonly headers?: Readonly<Record<string, string | number>>;
}

/** Uploads a form written as text, with its correct length by default. */
function sendForm(
  api: TestApi,
  user: TestUser,
  parts: readonly FormPart[],
  spoil: FormSpoiling = {},
): Promise<RawResponse | null> {
  const { boundary, body } = handmadeForm(parts);
  const sent = body.subarray(0, body.length - (spoil.cutBytes ?? 0));
  const headers = {
    'Content-Type': `multipart/form-data; boundary=${spoil.boundary ?? boundary}`,
    'Content-Length': sent.length,
    ...spoil.headers,
  };
  return rawUpload(api, user, headers, (socket) => void socket.write(sent));
}
