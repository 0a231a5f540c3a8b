import { expect } from 'chai';
import {
  handmadeForm,
  rawUpload,
  sendForm,
  uploadsFixture,
  uploadForm,
  type FormPart,
  type FormSpoiling,
} from '../../support/uploads.js';

const megabyte = 1024 ** 2;
const videoPart = { name: 'file', fileName: 'video.mp4', value: Buffer.alloc(100_000, 3) };
const title = { name: 'title', value: 'A video' };

for (const kind of ['disk', 'S3'] as const) {
  describe(`POST /api/box, rejected uploads, files in ${kind}`, () => {
    const { api, user, expectNothingLeft } = uploadsFixture(kind);

    const send = (parts: readonly FormPart[], spoil: FormSpoiling = {}) => sendForm(api, user, parts, spoil);

    const refused: readonly (readonly [
      string,
      () => Promise<{
        status: number;
        body: { exception: string; message: string; errors?: { field: string }[] };
      } | null>,
      number,
      string[]?,
    ])[] = [
      ['a form without a title', () => send([videoPart]), 400, ['title']],
      ['a blank title', () => send([{ ...title, value: '  ' }, videoPart]), 400, ['title']],
      ['a title of 256 characters', () => send([{ ...title, value: 'x'.repeat(256) }, videoPart]), 400, ['title']],
      ['a form without a file', () => send([title]), 400, ['file']],
      ['a form without anything', () => send([]), 400, ['file', 'title']],
      ['a text in place of the file', () => send([title, { name: 'file', value: 'video' }]), 400, ['file']],
      ['an empty file', () => send([title, { ...videoPart, value: '' }]), 400, ['file']],
      ['two files', () => send([title, videoPart, videoPart]), 400, ['file']],
      ['a file in another part', () => send([title, { ...videoPart, name: 'video' }]), 400, ['video']],
      ['a second file in another part', () => send([title, videoPart, { ...videoPart, name: 'video' }]), 400],
      [
        'a text part that is too long',
        () => send([title, videoPart, { name: 'description', value: 'x'.repeat(70_000) }]),
        400,
        ['description'],
      ],
      [
        'too many tags',
        () =>
          send([
            title,
            videoPart,
            ...Array.from({ length: 51 }, (_, index) => ({ name: 'tag', value: `tag ${index}` })),
          ]),
        400,
        ['tag'],
      ],
      ['a tag that is too long', () => send([title, videoPart, { name: 'tag', value: 'x'.repeat(65) }]), 400, ['tag']],
      [
        'too many parts',
        () => send([title, videoPart, ...Array.from({ length: 250 }, () => ({ name: 'x', value: 'y' }))]),
        400,
      ],
      [
        'a contentIdentifier that is too long',
        () => send([title, videoPart, { name: 'contentIdentifier', value: 'x'.repeat(129) }]),
        400,
        ['contentIdentifier'],
      ],
      [
        'a thumbnail that is not there',
        () => send([title, videoPart, { name: 'thumbnailId', value: crypto.randomUUID() }]),
        400,
        ['thumbnailId'],
      ],
      ['a title that no database holds', () => send([{ ...title, value: 'a\0b' }, videoPart]), 400, ['title']],
      ['a wrong boundary', () => send([title, videoPart], { boundary: 'nothing-like-it' }), 400],
      ['a form that breaks off', () => send([title, videoPart], { cutBytes: 50 }), 400],
      [
        'a body that is no form',
        () => send([title, videoPart], { headers: { 'Content-Type': 'application/json' } }),
        400,
      ],
      [
        'a form without a boundary',
        () => send([title, videoPart], { headers: { 'Content-Type': 'multipart/form-data' } }),
        400,
      ],
      [
        'a file over the limit of the service',
        () => send([title, { ...videoPart, value: Buffer.alloc(3 * megabyte + 1) }]),
        413,
      ],
    ];
    for (const [what, attempt, status, fields] of refused) {
      it(`rejects ${what}, and leaves nothing`, async () => {
        const response = await attempt();
        expect(response?.status).to.equal(status);
        expect(response?.body).to.have.keys(
          'timestamp',
          'status',
          'error',
          'exception',
          'message',
          'path',
          ...(response?.body.errors ? ['errors'] : []),
          ...(status === 413 ? ['limit'] : []),
        );
        expect(response?.body.message).to.match(/\w/);
        if (fields) expect(response?.body.errors?.map(({ field }) => field)).to.have.members(fields);
        await expectNothingLeft();
      });
    }

    it('responds as soon as a part is rejected, before the rest has arrived', async () => {
      const { boundary, body } = handmadeForm([{ name: 'description', value: 'x'.repeat(70_000) }, title, videoPart]);
      const headers = { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': body.length };
      const response = await rawUpload(api, user, headers, (socket) => void socket.write(body.subarray(0, 71_000)));
      expect(response?.status).to.equal(400);
      await expectNothingLeft();
    });

    it('the message says where a file is expected', async () => {
      for (const [parts, message] of [
        [[title, { ...videoPart, name: 'video' }], 'Send the file in the part “file”, not in “video”.'],
        [[title, videoPart, videoPart], 'Only one file may be sent, in the part “file”.'],
        [[title, { name: 'file', value: 'river.mp4' }], /^“file” is required: .*curl: -F file=@name$/],
      ] as const) {
        const sent = (await send([...parts]))?.body.message;
        if (typeof message === 'string') expect(sent).to.equal(message);
        else expect(sent).to.match(message);
      }
    });

    it('the message is in the caller’s language', async () => {
      const form = uploadForm({ title: '' });
      const response = await api.call('POST', '/api/box', {
        token: user.token,
        body: form,
        headers: { 'accept-language': 'it' },
      });
      expect(response.body.message).to.equal('“title” non può essere vuoto.');
    });
  });
}
