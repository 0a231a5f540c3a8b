import { once } from 'node:events';
import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.js';
import { registerUser, startApi, type TestApi, type TestUser } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { eventually } from '../../support/eventually.js';
import { startS3 } from '../../support/s3.js';
import { handmadeForm, noTraces, rawUpload, tracesOf, upload, uploadForm } from '../../support/uploads.js';

interface OpenStore {
  readonly env: Readonly<Record<string, string>>;
  unfinished(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const stores: Readonly<Record<string, () => Promise<OpenStore>>> = {
  'files on disk': async () => ({ env: {}, unfinished: async () => [], close: async () => {} }),
  'files in S3': () => startS3('up/'),
};

const megabyte = 1024 ** 2;
const film = { name: 'file', fileName: 'film.mp4', value: Buffer.alloc(100_000, 3) };
const title = { name: 'title', value: 'A film' };

for (const [name, openStore] of Object.entries(stores)) {
  describe(`POST /api/box, ${name}`, () => {
    let store: OpenStore;
    let ctx: TestContext;
    let api: TestApi;
    let user!: TestUser;

    before(async () => {
      store = await openStore();
      ctx = await openTestContext({ ...store.env, UPLOAD_LIMIT_BYTES: String(3 * megabyte) });
      api = await startApi(ctx);
    });
    /** One user for all refusals, which leave nothing; after a success the next test gets another. */
    beforeEach(async () => {
      const isUsed = user && (await usageOf(ctx, user.userId)).uploads > 0;
      if (!user || isUsed) user = await registerUser(api);
      await ctx.storage.removeAll('sources');
    });
    after(async () => {
      await api.close();
      await ctx.close();
      await store.close();
    });

    /** Sends a form by hand, with its true length unless told otherwise. */
    function send(
      parts: Parameters<typeof handmadeForm>[0],
      spoil: { boundary?: string; cutBytes?: number; headers?: Record<string, string | number> } = {},
    ) {
      const { boundary, body } = handmadeForm(parts);
      const sent = body.subarray(0, body.length - (spoil.cutBytes ?? 0));
      const headers = {
        'Content-Type': `multipart/form-data; boundary=${spoil.boundary ?? boundary}`,
        'Content-Length': sent.length,
        ...spoil.headers,
      };
      return rawUpload(api, user, headers, (socket) => void socket.write(sent));
    }

    async function expectNothingLeft(): Promise<void> {
      await eventually(async () => expect(await tracesOf(ctx, user)).to.deep.equal(noTraces));
      expect(await store.unfinished()).to.deep.equal([]);
    }

    it('takes a correct upload, its parts in any order', async () => {
      const answer = await send([
        { name: 'tag', value: ' b ' },
        film,
        { name: 'tag', value: 'a' },
        { name: 'tag', value: 'b' },
        title,
        { name: 'description', value: 'Long' },
      ]);
      expect(answer?.status).to.equal(201);
      expect(answer?.body).to.include({
        title: 'A film',
        description: 'Long',
        source: 'UPLOAD',
        status: 'PENDING',
        vodCount: 0,
      });
      expect(answer?.body.tags).to.deep.equal(['b', 'a']);
      expect(answer?.body.contentId).to.equal(`urn:video:content:${answer?.body.resourceId}`);
      expect(await tracesOf(ctx, user)).to.deep.equal({
        ...noTraces,
        contents: 1,
        items: 1,
        originalBytes: 100_000,
        files: 1,
      });
    });

    it('takes an upload of unknown length, and one whose sender waits for leave', async () => {
      const { boundary, body } = handmadeForm([title, film]);
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

    const refused: readonly (readonly [
      string,
      () => Promise<{
        status: number;
        body: { exception: string; message: string; errors?: { field: string }[] };
      } | null>,
      number,
      string[]?,
    ])[] = [
      ['a form without a title', () => send([film]), 400, ['title']],
      ['a blank title', () => send([{ ...title, value: '  ' }, film]), 400, ['title']],
      ['a title of 256 characters', () => send([{ ...title, value: 'x'.repeat(256) }, film]), 400, ['title']],
      ['a form without a file', () => send([title]), 400, ['file']],
      ['a form without anything', () => send([]), 400, ['file', 'title']],
      ['a text in place of the file', () => send([title, { name: 'file', value: 'film' }]), 400, ['file']],
      ['an empty file', () => send([title, { ...film, value: '' }]), 400, ['file']],
      ['two files', () => send([title, film, film]), 400, ['file']],
      ['a file in another part', () => send([title, { ...film, name: 'video' }]), 400, ['video']],
      ['a second file in another part', () => send([title, film, { ...film, name: 'video' }]), 400],
      [
        'a text part that is too long',
        () => send([title, film, { name: 'description', value: 'x'.repeat(70_000) }]),
        400,
        ['description'],
      ],
      [
        'too many tags',
        () =>
          send([title, film, ...Array.from({ length: 51 }, (_, index) => ({ name: 'tag', value: `tag ${index}` }))]),
        400,
        ['tag'],
      ],
      ['a tag that is too long', () => send([title, film, { name: 'tag', value: 'x'.repeat(65) }]), 400, ['tag']],
      [
        'too many parts',
        () => send([title, film, ...Array.from({ length: 250 }, () => ({ name: 'x', value: 'y' }))]),
        400,
      ],
      [
        'a contentIdentifier that is too long',
        () => send([title, film, { name: 'contentIdentifier', value: 'x'.repeat(129) }]),
        400,
        ['contentIdentifier'],
      ],
      [
        'a thumbnail that is not there',
        () => send([title, film, { name: 'thumbnailId', value: crypto.randomUUID() }]),
        400,
        ['thumbnailId'],
      ],
      ['a title that no database holds', () => send([{ ...title, value: 'a\0b' }, film]), 400, ['title']],
      ['a wrong boundary', () => send([title, film], { boundary: 'nothing-like-it' }), 400],
      ['a form that breaks off', () => send([title, film], { cutBytes: 50 }), 400],
      ['a body that is no form', () => send([title, film], { headers: { 'Content-Type': 'application/json' } }), 400],
      [
        'a form without a boundary',
        () => send([title, film], { headers: { 'Content-Type': 'multipart/form-data' } }),
        400,
      ],
      [
        'a file over the limit of the service',
        () => send([title, { ...film, value: Buffer.alloc(3 * megabyte + 1) }]),
        413,
      ],
    ];
    for (const [what, attempt, status, fields] of refused) {
      it(`refuses ${what}, and leaves nothing`, async () => {
        const answer = await attempt();
        expect(answer?.status).to.equal(status);
        expect(answer?.body).to.have.keys(
          'timestamp',
          'status',
          'error',
          'exception',
          'message',
          'path',
          ...(answer?.body.errors ? ['errors'] : []),
        );
        expect(answer?.body.message).to.be.a('string').that.is.not.empty;
        if (fields) expect(answer?.body.errors?.map(({ field }) => field)).to.have.members(fields);
        await expectNothingLeft();
      });
    }

    it('refuses by Content-Length before the body is there, and lets the answer be read', async () => {
      const { boundary } = handmadeForm([]);
      const headers = {
        'Content-Type': `multipart/form-data; boundary=${boundary}`,
        'Content-Length': 10_000 * megabyte,
      };
      const answer = await rawUpload(api, user, headers, () => {});
      expect(answer?.status).to.equal(413);
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

    it('leaves nothing when the sender goes away in the middle', async () => {
      const { boundary, body } = handmadeForm([title, { ...film, value: Buffer.alloc(2 * megabyte) }]);
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

    it('refuses the second of two uploads with one contentIdentifier, also when both are on their way', async () => {
      const parts = { fields: [['contentIdentifier', 'my film']] as const };
      const answers = await Promise.all([upload(api, user, parts), upload(api, user, parts), upload(api, user, parts)]);
      expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([201, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.body.exception).to.contain(
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

    it('takes a UUID or an URN as the content’s id, and another owner’s same name as another content', async () => {
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

    it('does not take somebody else’s thumbnail', async () => {
      const other = await registerUser(api);
      const [row] = await ctx.db.rows<{ id: string }>(
        `INSERT INTO thumbnails (id, owner_id, storage_key, mime_type, bytes, width, height, created_at)
         VALUES (gen_random_uuid(), $id, 'thumbnails/x/original', 'image/png', 1, 1, 1, now()) RETURNING id`,
        { id: other.userId },
      );
      const fields = [['thumbnailId', row?.id ?? '']] as const;
      expect((await upload(api, user, { fields })).status).to.equal(400);
      await expectNothingLeft();
      expect((await upload(api, other, { fields })).body.thumbnailId).to.equal(row?.id);
    });

    it('speaks the caller’s language', async () => {
      const form = uploadForm({ title: '' });
      const answer = await api.call('POST', '/api/box', {
        token: user.token,
        body: form,
        headers: { 'accept-language': 'it' },
      });
      expect(answer.body.message).to.equal('Alcuni dei valori inviati non sono validi.');
    });
  });
}
