import { expect } from 'chai';
import { seedBoxItem, seedStream } from '../../support/contents.js';
import { boxFixture } from './openBox.js';
import { bodyOf } from '../../support/responses.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';

describe('POST /api/box/:boxId/play', () => {
  const { ctx, api, user, other, call } = boxFixture();

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

    it('returns 404 for all other users, and 409 if the owner publishes it', async () => {
      const { boxId } = await seedGrowing();
      expect((await call('POST', `/api/box/${boxId}/play`, undefined, other)).status).to.equal(404);
      expect((await call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' })).status).to.equal(409);
    });
  });
});
