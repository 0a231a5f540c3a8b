import { expect } from 'chai';
import {
  seedBoxItem,
  seedPrepared,
  seedPreparing,
  seedUnprepared,
  seedStream,
  changeRow,
  makeThumbnail,
} from '../../support/rows.js';
import { boxFixture, type BoxFixture } from './openBox.js';
import { Content } from '../../../shared/content/content.model.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { upload } from '../../support/uploads.js';
import { storedKeys } from '../../support/media.js';
import { bodyOf } from '../../support/api.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { removeContentHandler } from '../../../workers/transcoding-status/removeContent.js';

describe('GET /api/box/:boxId', () => {
  const { ctx, user, call } = boxFixture();

  it('200: returns an item as the contract defines it', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, {
      title: 'Summer',
      description: 'At the sea',
      tags: ['sea', 'sun'],
      durationMs: 187_400,
    });
    const { body } = await call('GET', `/api/box/${boxId}`);
    expect(body).to.deep.equal({
      boxId,
      contentId: `urn:video:content:${contentId}`,
      title: 'Summer',
      description: 'At the sea',
      resourceId: contentId,
      duration: '3:07',
      tags: ['sea', 'sun'],
      source: 'UPLOAD',
      valueDate: body.valueDate,
      status: 'READY',
      vodCount: 0,
    });
  });

  it('200: formats dates in the caller’s time zone', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { expiresAt: new Date('2030-12-31T23:30:00Z') });
    expect((await call('GET', `/api/box/${boxId}`)).body.expirationDate).to.equal('31/12/2030');
    const local = await call('GET', `/api/box/${boxId}`, undefined, user, { 'X-Service-timezone': '3600000' });
    expect(local.body.expirationDate).to.equal('01/01/2031');
  });

  it('200: lists the playable renditions and the progress of the others', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    const read = async () => (await call('GET', `/api/box/${boxId}`)).body;
    const quick = await read();
    expect(quick).to.deep.include({ status: 'READY', renditions: [{ width: 640, height: 360 }], preparing: 52 });
    expect(quick).to.not.have.property('message');
    const found = await call('POST', '/api/search/box/contents', {});
    expect(found.body.items.find((item: { boxId: string }) => item.boxId === boxId)).to.deep.include({ preparing: 52 });
    await seedPrepared(ctx, contentId);
    expect(await read())
      .to.include({ status: 'READY' })
      .and.not.have.any.keys('preparing', 'renditions');
  });

  it('200: names failures and missing parts in the caller’s language', async () => {
    const tooLarge = Array.from({ length: 11 }, () => ({ label: 'Deutsch', reason: 'tooLarge' as const }));
    const leftOutSubtitles = [...tooLarge, { label: 'English', reason: 'unreadable' as const, cues: 3 }];
    const list = `${'Deutsch (troppo testo), '.repeat(10)}…`;
    const leftOut =
      `${ctx.translate('it', 'content.endMissing', { seconds: 2 })} Sottotitoli del file che mancano: ${list}. ` +
      'Alcuni sottotitoli del file, che non possono essere mostrati, sono stati tralasciati: English (3).';
    for (const [columns, message] of [
      [{ state: 'FAILED', failureKey: 'playback.notPlayable' }, ctx.translate('it', 'playback.notPlayable')],
      [{ missingEndSeconds: 2.4 }, ctx.translate('it', 'content.endMissing', { seconds: 2 })],
      [
        { leftOutAudio: ['Deutsch', 'Audio 9'] },
        ctx.translate('it', 'content.audioLeftOut', { list: 'Deutsch, Audio 9' }),
      ],
      [{ leftOutSubtitles, missingEndSeconds: 2.4 }, leftOut],
    ] as const) {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
      await changeRow(ctx, Content, contentId, columns);
      const { body } = await call('GET', `/api/box/${boxId}`, undefined, user, { 'accept-language': 'it' });
      expect(body).to.include({ status: 'READY', ...('state' in columns ? { status: 'FAILED' } : {}), message });
    }
  });

  it('200: states why the other renditions are missing', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    await seedUnprepared(ctx, contentId);
    const { body } = await call('GET', `/api/box/${boxId}`, undefined, user, { 'accept-language': 'fr' });
    const reason = ctx.translate('fr', 'content.failure.unreadable');
    const message = ctx.translate('fr', 'content.renditionsFailed', { reason });
    expect(body).to.deep.include({ status: 'READY', renditions: [{ width: 640, height: 360 }], message });
    expect(body).to.not.have.property('preparing');
  });
});

describe('POST /api/box/:boxId', () => {
  const { ctx, user, other, call } = boxFixture();

  it('200: replaces title, description, thumbnail and tags, and empties omitted members', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Old', description: 'Long', tags: ['a'] });
    const changed = await call('POST', `/api/box/${boxId}`, { title: ' New ', tags: ['b', 'b', ' c '], unknown: 1 });
    expect(changed.body).to.include({ title: 'New' }).and.not.have.property('description');
    expect(changed.body.tags).to.deep.equal(['b', 'c']);
    expect((await call('GET', `/api/box/${boxId}`)).body).to.deep.equal(changed.body);
  });

  it('200: without a title, changes only the members sent and removes the empty ones', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'Old', description: 'Long', tags: ['a'] });
    const thumbnailId = await makeThumbnail(ctx, user.userId);
    const changed = async (body: object) => (await call('POST', `/api/box/${boxId}`, body)).body;
    expect(await changed({ thumbnailId })).to.deep.include({
      ...{ title: 'Old', description: 'Long', tags: ['a'], thumbnailId },
    });
    expect(await changed({ tags: ['b'] })).to.deep.include({ description: 'Long', tags: ['b'], thumbnailId });
    const emptied = await changed({ description: ' ', tags: [], thumbnailId: '' });
    expect(emptied).to.include({ title: 'Old' }).and.not.have.any.keys('description', 'tags', 'thumbnailId');
  });

  it('200: accepts a complete object as a read returned it', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { description: 'Long', tags: ['a'] });
    const thumbnailId = await makeThumbnail(ctx, other.userId);
    // Ingestion stores it in this form.
    await changeRow(ctx, Content, contentId, { thumbnailId });
    const { body } = await call('GET', `/api/box/${boxId}`);
    expect(body.thumbnailId).to.equal(thumbnailId);
    expect((await call('POST', `/api/box/${boxId}`, body)).body).to.deep.equal(body);
  });
});

describe('DELETE /api/box/:boxId', () => {
  const { ctx, api, user, call } = boxFixture();

  it('204: deletes the item, its content and its bytes', async () => {
    const { body } = await upload(api, user);
    const before = await usageOf(ctx, user.userId);
    expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(204);
    expect((await call('GET', `/api/box/${body.boxId}`)).status).to.equal(404);
    expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(404);
    const after = await usageOf(ctx, user.userId);
    expect(before.originalBytes - after.originalBytes).to.equal(50_000);
    expect(before.uploads - after.uploads).to.equal(1);
    const rows = await ctx.db.rows(`SELECT state FROM contents WHERE id = $id`, { id: body.resourceId });
    expect(rows).to.deep.equal([{ state: 'DELETED' }]);
  });

  it('returns 409 while the item is published', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId);
    const { body: vod } = await call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' });
    const refused = await call('DELETE', `/api/box/${boxId}`);
    expect(refused.status).to.equal(409);
    expect(refused.body.exception).to.contain('DataIntegrityViolationException');
    expect((await call('GET', `/api/box/${boxId}`)).body.vodCount).to.equal(1);
    await call('DELETE', `/api/vod/${vod.vodId}`);
    expect((await call('DELETE', `/api/box/${boxId}`)).status).to.equal(204);
  });
});

describe('POST /api/box/:boxId/play', () => {
  const { ctx, api, user, call } = boxFixture();

  it('200: returns URLs for an item that is READY', async () => {
    const { boxId, folder } = await seedBoxItem(ctx, user.userId);
    await seedStream(ctx, folder);
    const { status, body } = await call('POST', `/api/box/${boxId}/play`);
    expect(status).to.equal(200);
    expect(body).to.include({ result: 'PLAY' });
    expect(body.resource).to.deep.equal((await call('GET', `/api/box/${boxId}`)).body);
    expect(body.srcs[0].streamer).to.match(/\.m3u8$/);
  });

  it('200: returns a message for an item that is PENDING, has FAILED (with the reason) or has expired', async () => {
    const failureKey = 'content.failure.empty';
    for (const [options, message] of [
      [{ state: 'PENDING' }, ctx.translate('en', 'playback.notReady')],
      [{ state: 'FAILED' }, ctx.translate('en', 'playback.notPlayable')],
      [{ state: 'FAILED', failureKey }, 'This content cannot be played. The file is empty.'],
      [{ expiresAt: new Date(ctx.clock.now().getTime() - 1000) }, ctx.translate('en', 'playback.itemExpired')],
    ] as const) {
      const { boxId } = await seedBoxItem(ctx, user.userId, options);
      const body = bodyOf(200, await call('POST', `/api/box/${boxId}/play`));
      expect(body).to.deep.include({ result: 'MESSAGE', message, streamer: '', srcs: [] });
    }
  });

  describe('of an item with a growing playlist', () => {
    /** Seeds a PENDING item with growing playlists. `folder` holds its files, and a grant opens it. */
    async function seedGrowing(): Promise<{ boxId: string; contentId: string; folder: string }> {
      const item = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
      await changeRow(ctx, Content, item.contentId, { generation: 1, quick: true, growing: true, durationMs: 60000 });
      for (const name of ['growing.m3u8', '360p-growing.m3u8']) {
        await ctx.storage.put(`${item.folder}${name}`, Buffer.from('#EXTM3U\n'), { contentType: 'text/plain' });
      }
      return item;
    }

    it('200: returns the URL of the growing playlist to the owner, and no cache stores it', async () => {
      const { boxId, folder } = await seedGrowing();
      const { body } = await call('POST', `/api/box/${boxId}/play`);
      expect(body).to.include({ result: 'PLAY', file: `${folder}growing.m3u8` });
      expect(body.resource).to.include({ status: 'PENDING' });
      const path = new URL(body.streamer).pathname;
      for (const list of [path, path.replace('growing.m3u8', '360p-growing.m3u8')]) {
        const sent = await api.call('GET', list);
        expect([sent.status, sent.headers.get('cache-control')]).to.deep.equal([200, 'private, no-cache']);
      }
    });

    it('200: returns the message while no segment is stored, and the master playlist once the item is READY', async () => {
      const { boxId, contentId } = await seedGrowing();
      await changeRow(ctx, Content, contentId, { growing: false });
      expect((await call('POST', `/api/box/${boxId}/play`)).body).to.include({ result: 'MESSAGE' });
      await changeRow(ctx, Content, contentId, { state: 'READY', readyGeneration: 1, growing: true });
      expect((await call('POST', `/api/box/${boxId}/play`)).body.file).to.match(/master\.m3u8$/);
    });
  });
});

describe('GET /api/progressbar/:progressId', () => {
  const { api, user, other, call } = boxFixture();

  it('returns 200 for the uploader and 404 for other users', async () => {
    await upload(api, user, {}, { 'x-service-PROGRESSBARID': 'bar 1' });
    expect((await call('GET', '/api/progressbar/bar%201')).body).to.deep.equal({ value: 100 });
    expect((await call('GET', '/api/progressbar/bar%201', undefined, other)).status).to.equal(404);
    expect((await call('GET', '/api/progressbar/never')).status).to.equal(404);
  });

  it('returns 404 after a rejected upload', async () => {
    expect((await upload(api, user, { title: '' }, { 'X-Service-progressbarId': 'bar2' })).status).to.equal(400);
    expect((await call('GET', '/api/progressbar/bar2')).status).to.equal(404);
  });
});

describe('an upload with the id of a deleted content', () => {
  const { ctx, api, user, other, call } = boxFixture();

  const send = (as: BoxFixture['user'], identifier: string, language = 'en') =>
    upload(api, as, { fields: [['contentIdentifier', identifier]] }, { 'accept-language': language });

  /** Runs `content.remove` as a worker does. */
  async function removed(contentId: string): Promise<void> {
    const run = {
      ctx: createWorkerContext(ctx),
      log: ctx.log,
      payload: { contentId },
      signal: new AbortController().signal,
      attempt: 1,
      isLastAttempt: true,
      reportProgress: () => {},
    };
    expect(await removeContentHandler(run)).to.deep.equal({ removed: true });
  }

  it('returns 409 for its former owner and for any other user', async () => {
    for (const identifier of [crypto.randomUUID(), `a name ${crypto.randomUUID()}`]) {
      const { body } = await send(user, identifier);
      const id = body.resourceId as string;
      expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(204);
      expect((await send(user, id)).status, 'before its files are removed').to.equal(409);
      await removed(id);
      expect(await ctx.db.model(Content).findByPk(id)).to.equal(null);
      const before = await storedKeys(ctx);
      const refused = await send(user, identifier);
      expect(refused.status).to.equal(409);
      expect(refused.body.exception).to.contain('DataIntegrityViolationException');
      expect(refused.body.message).to.equal(
        'A content with this identifier existed before. Choose another identifier.',
      );
      for (const again of [id, `urn:video:content:${id.toUpperCase()}`])
        expect((await send(other, again, 'it')).body).to.include({
          status: 409,
          message: 'In passato è già esistito un contenuto con questo identificativo. Scegline un altro.',
        });
      expect(await storedKeys(ctx), 'files of rejected uploads').to.deep.equal(before);
    }
  });

  it('returns 409 while the deleted content is being removed', async () => {
    const identifier = crypto.randomUUID();
    const { body } = await send(user, identifier);
    await call('DELETE', `/api/box/${body.boxId}`);
    const [, ...uploads] = await Promise.all([
      removed(identifier),
      ...Array.from({ length: 5 }, () => send(other, identifier)),
    ]);
    expect(uploads.map(({ status }) => status)).to.deep.equal(Array(5).fill(409));
  });
});
