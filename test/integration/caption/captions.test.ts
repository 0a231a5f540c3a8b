import { expect } from 'chai';
import { addGeneratedCaption } from '../../../shared/caption/caption.service.js';
import { Content } from '../../../shared/content/content.model.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import type { TestResponse } from '../../support/api.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { fixtureEach } from '../../support/fixtures.js';
import { boxFixture } from '../box/openBox.js';

const english = 'WEBVTT\n\n00:01.000 --> 00:02.000\nThe quick fox\n';

describe('captions of a content', () => {
  const { ctx, api, user, call } = boxFixture();
  const item = fixtureEach(() => seedBoxItem(ctx, user.userId));

  function send(fields: Record<string, string>, file = english): Promise<TestResponse> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([file]), 'captions.vtt');
    return api.call('POST', `/api/box/${item.boxId}/captions`, { token: user.token, body: form });
  }
  const list = async (): Promise<readonly { readonly label: string }[]> =>
    (await call('GET', `/api/box/${item.boxId}/captions`)).body.items as { label: string }[];

  it('201: are added, listed, changed, read as a file and deleted', async () => {
    const { status, body } = await send({ language: 'pt_br' });
    expect(status).to.equal(201);
    const { captionId, ...rest } = body;
    expect(rest).to.deep.equal({
      ...{ language: 'pt-BR', label: 'Português (Brasil)', kind: 'captions', automatic: false },
      ...{ forced: false, default: false, leftOutCues: 0 },
    });
    const path = `/api/box/${item.boxId}/captions/${captionId as string}`;
    const change = { label: 'Brasil', kind: 'subtitles', forced: true, default: true };
    const changed = await call('POST', path, change);
    expect([changed.status, changed.body]).to.deep.equal([
      ...[200, { captionId, language: 'pt-BR', automatic: false, leftOutCues: 0, ...change }],
    ]);
    expect(await call('GET', `/api/box/${item.boxId}/captions`)).to.have.nested.property('body.totalCount', 1);
    const file = await call('GET', `${path}/file.vtt`);
    expect([file.headers.get('content-type'), file.text]).to.deep.equal([
      'text/vtt; charset=utf-8',
      'WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nThe quick fox\n',
    ]);
    expect((await call('DELETE', path)).status).to.equal(204);
    for (const [method, suffix] of [
      ['DELETE', ''],
      ['POST', ''],
      ['GET', '/file.vtt'],
    ] as const)
      expect((await call(method, path + suffix, method === 'POST' ? {} : undefined)).status, method).to.equal(404);
    expect(await list()).to.deep.equal([]);
  });

  it('are rejected with 400 for an invalid file or member, with the line of the error', async () => {
    const bad = await send({ language: 'en' }, 'WEBVTT\n\n00:03.000 --> 00:02.000\nx\n');
    expect([bad.status, bad.body.errors]).to.deep.equal([
      400,
      [
        {
          ...{ field: 'file', code: 'timing' },
          defaultMessage: 'In line 3 the caption ends before it begins, or later than any content.',
        },
      ],
    ]);
    for (const fields of [{}, { language: 'not a language' }, { language: 'en', kind: 'karaoke' }])
      expect((await send(fields)).status, JSON.stringify(fields)).to.equal(400);
    expect((await send({ language: 'en' }, 'x'.repeat(2 * 1024 ** 2 + 1))).status).to.equal(413);
    expect(await list()).to.deep.equal([]);
  });

  it('201: omit and count cues that end before they begin', async () => {
    const { status, body } = await send({ language: 'en' }, `${english}\n00:03.000 --> 00:03.000\nx\n`);
    expect([status, body.leftOutCues]).to.deep.equal([201, 1]);
    const file = await call('GET', `/api/box/${item.boxId}/captions/${body.captionId as string}/file.vtt`);
    expect(file.text).to.equal('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nThe quick fox\n');
  });

  it('allow full and forced captions per language, and one default: the last one set', async () => {
    const cues = [{ startMs: 0, endMs: 1000, text: 'Hi', settings: '' }];
    const made = { language: 'de', cues } as const;
    expect(await addGeneratedCaption(ctx, item.contentId, { ...made, origin: 'AUTOMATIC', stream: null })).to.equal(
      true,
    );
    await send({ language: 'de', forced: 'true' });
    await send({ language: 'en', default: 'true' });
    const ofSource = { ...made, origin: 'SOURCE', stream: 2, forced: true, shownByDefault: true } as const;
    await addGeneratedCaption(ctx, item.contentId, ofSource);
    type Listed = Readonly<{ captionId: string; label: string; forced: boolean; default: boolean }>;
    const listed = async () =>
      ((await list()) as Listed[]).toSorted((one, next) => one.label.localeCompare(next.label, 'en'));
    const ofAll = async (member: 'label' | 'forced' | 'default') => (await listed()).map((one) => one[member]);
    expect(await ofAll('label')).to.deep.equal(['Deutsch', 'Deutsch (forced)', 'Deutsch (forced) (2)', 'English']);
    expect(await ofAll('forced')).to.deep.equal([false, true, true, false]);
    expect(await ofAll('default')).to.deep.equal([false, false, false, true]);
    const [automatic] = await listed();
    const changed = await call('POST', `/api/box/${item.boxId}/captions/${automatic!.captionId}`, { default: true });
    expect(changed.body).to.include({ default: true, forced: false });
    expect(await ofAll('default')).to.deep.equal([true, false, false, false]);
    await send({ language: 'fr', default: 'true' });
    expect(await ofAll('default')).to.deep.equal([false, false, false, false, true]);
  });

  it('return 403 for a licensed content, and 404 for another item of the owner', async () => {
    const { body } = await send({ language: 'en' });
    const path = `/api/box/${item.boxId}/captions/${body.captionId as string}`;
    const second = await seedBoxItem(ctx, user.userId);
    expect((await call('DELETE', path.replace(item.boxId, second.boxId))).status).to.equal(404);
    await changeRow(ctx, BoxItem, item.boxId, { source: 'MARKET_PLACE' });
    for (const { status } of [
      await send({ language: 'fr' }),
      await call('POST', path, { label: 'x' }),
      await call('DELETE', path),
    ])
      expect(status).to.equal(403);
    expect(await list()).to.have.lengthOf(1);
  });

  it('return 409 for a duplicate label and above forty captions', async () => {
    await send({ language: 'en', label: 'One' });
    expect((await send({ language: 'en', label: 'One' })).body.exception).to.match(/Conflict|DataIntegrity/);
    const { body } = await send({ language: 'en', label: 'Two' });
    const path = `/api/box/${item.boxId}/captions/${body.captionId as string}`;
    expect((await call('POST', path, { label: 'One' })).status).to.equal(409);
    expect((await call('POST', path, { label: 'Two' })).status).to.equal(200);
    for (let number = 3; number <= 40; number += 1)
      expect((await send({ language: 'en', label: `${number}` })).status).to.equal(201);
    expect((await send({ language: 'en', label: '41' })).status).to.equal(409);
  });

  it('return 400 if too many cues are shown at one time', async () => {
    const crowd = `WEBVTT\n\n${Array.from({ length: 60 }, (_, index) => `01:01.500 --> 01:02.500\n${index}\n`).join('\n')}`;
    const { status, body } = await send({ language: 'en' }, crowd);
    expect(status).to.equal(400);
    expect(body.errors).to.have.nested.property('[0].code', 'tooManyAtOnce');
    expect(JSON.stringify(body)).to.include('shown at 00:01:01.500: at most 50');
  });

  it('are added once for concurrent requests with the same label', async () => {
    const statuses = await Promise.all([1, 2, 3].map(async () => (await send({ language: 'en' })).status));
    expect(statuses.toSorted((one, two) => one - two)).to.deep.equal([201, 409, 409]);
  });

  it('are added once from transcription and source, and the owner’s captions replace automatic ones', async () => {
    const cues = [{ startMs: 0, endMs: 1000, text: 'Hi', settings: '' }];
    const automatic = { origin: 'AUTOMATIC', stream: null, language: 'en', cues } as const;
    const ofSource = { origin: 'SOURCE', stream: 2, language: 'en', cues } as const;
    expect(await addGeneratedCaption(ctx, item.contentId, automatic)).to.equal(true);
    expect(await addGeneratedCaption(ctx, item.contentId, automatic)).to.equal(false);
    expect(await addGeneratedCaption(ctx, item.contentId, ofSource)).to.equal(true);
    expect(await addGeneratedCaption(ctx, item.contentId, ofSource)).to.equal(false);
    const labels = async () => (await list()).map(({ label }) => label).toSorted();
    expect(await labels()).to.deep.equal(['English', 'English (2)']);
    expect((await send({ language: 'en', label: 'Mine' })).status).to.equal(201);
    expect(await labels()).to.deep.equal(['English (2)', 'Mine']);
    expect(await addGeneratedCaption(ctx, item.contentId, automatic)).to.equal(false);
  });

  it('count as stored bytes until they or their content are deleted', async () => {
    const bytesNow = async () => (await usageOf(ctx, user.userId)).renditionBytes;
    const before = await bytesNow();
    const { body } = await send({ language: 'en' });
    await send({ language: 'de' });
    const each = Buffer.byteLength('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nThe quick fox\n');
    expect(await bytesNow()).to.equal(before + 2 * each);
    await call('DELETE', `/api/box/${item.boxId}/captions/${body.captionId as string}`);
    expect(await bytesNow()).to.equal(before + each);
    expect((await call('DELETE', `/api/box/${item.boxId}`)).status).to.equal(204);
    expect(await bytesNow()).to.equal(before);
    expect((await ctx.db.model(Content).findByPk(item.contentId))?.state ?? 'DELETED').to.equal('DELETED');
  });
});
