import { expect } from 'chai';
import sharp from 'sharp';
import { usageOf } from '../../../shared/license/usage.service.js';
import { removeUnusedThumbnails } from '../../../shared/content/thumbnailRemoval.service.js';
import { thumbnailRegistry } from '../../../shared/thumbnails.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { seedStream } from '../../support/contents.js';
import { free, marketFixture } from '../../support/marketplace.js';
import { storedKeys, upload } from '../../support/uploads.js';
import { startWorkers } from '../../support/workers.js';
import { eventually } from '../../support/eventually.js';
import { changeRow, storedRows } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';

describe('a content that several users hold', () => {
  const market = marketFixture();
  const { seller, acquirer } = market;

  const withdraw = (id: string) => market.call('DELETE', `/api/marketplace/${id}`, undefined, seller);
  const remove = (boxId: string, as: TestUser) => market.call('DELETE', `/api/box/${boxId}`, undefined, as);
  const play = (boxId: string, as = acquirer) => market.call('POST', `/api/box/${boxId}/play`, undefined, as);
  const download = (contentId: string, as = acquirer) =>
    market.call('GET', `/api/content/${contentId}/download`, undefined, as);
  const stateOf = async (id: string): Promise<string | undefined> =>
    (await storedRows(market.ctx, Content, { id }))[0]?.state;

  /** An upload that is set to READY without transcoding, and its offer. */
  async function offeredUpload(conditions: object = free) {
    const { body: item } = await upload(market.api, seller);
    await changeRow(market.ctx, Content, item.resourceId, { state: 'READY', readyGeneration: 1, durationMs: 60000 });
    const offered = await market.call('POST', `/api/box/${item.boxId}/marketplace`, conditions, seller);
    expect(offered.status, offered.text).to.equal(201);
    return { ...item, marketplaceId: offered.body.marketplaceId };
  }

  it('plays for each of them, and counts the bytes for the holder’s band', async () => {
    const { marketplaceId, folder } = await market.offer();
    const files = await seedStream(market.ctx, folder);
    const { boxId } = await market.acquired(marketplaceId);
    const { body } = await play(boxId);
    expect(body.result).to.equal('PLAY');
    expect(body.streamer).to.contain(`.${acquirer.userCode}.${acquirer.userCode}.`);
    const served = await fetch(body.streamer.replace(/^https?:\/\/[^/]+/, market.api.url));
    expect(await served.text()).to.equal(files.get('master.m3u8')?.toString());
    expect((await play(boxId, seller)).status).to.equal(404);
  });

  it('is kept when its uploader deletes the item, and counts for the uploader’s quota until the last item is deleted', async () => {
    const before = await usageOf(market.ctx, seller.userId);
    const item = await offeredUpload({ ...free, download: true });
    const held = await market.acquired(item.marketplaceId);
    await withdraw(item.marketplaceId);
    expect((await remove(item.boxId, seller)).status).to.equal(204);
    expect((await play(held.boxId)).body.result).to.equal('PLAY');
    expect((await download(held.contentId)).status).to.equal(200);
    expect((await download(held.contentId, seller)).status).to.equal(404);
    expect((await usageOf(market.ctx, seller.userId)).originalBytes - before.originalBytes).to.equal(50_000);
    expect((await usageOf(market.ctx, acquirer.userId)).storedBytes).to.equal(0);
    expect((await remove(held.boxId, acquirer)).status).to.equal(204);
    expect(await stateOf(item.resourceId)).to.equal('DELETED');
    const after = await usageOf(market.ctx, seller.userId);
    expect([after.originalBytes, after.uploads]).to.deep.equal([before.originalBytes, before.uploads]);
  });

  it('is kept when another holder deletes the item', async () => {
    const another = await registerUser(market.api);
    const item = await market.offer();
    const [one, two] = [await market.acquired(item.marketplaceId), await market.acquired(item.marketplaceId, another)];
    expect((await remove(one.boxId, acquirer)).status).to.equal(204);
    expect((await play(two.boxId, another)).body.result).to.equal('PLAY');
    expect((await play(item.boxId, seller)).body.result).to.equal('PLAY');
    expect((await play(one.boxId)).status).to.equal(404);
  });

  it('is kept when its seller is disabled', async () => {
    const leaving = await registerUser(market.api);
    const { marketplaceId } = await market.offer({ ...free, download: true }, {}, leaving);
    const held = await market.acquired(marketplaceId);
    await market.call('POST', '/api/user/me/disable', undefined, leaving);
    const { body } = await market.call('GET', `/api/box/${held.boxId}`);
    expect(body.marketplaceLicense.issuerCode).to.equal(leaving.userCode);
    expect((await play(held.boxId)).body.result).to.equal('PLAY');
    expect((await download(held.contentId)).status).to.equal(200);
    expect((await market.call('POST', `/api/box/${held.boxId}/vod`, free)).status).to.equal(201);
  });

  it('is deleted with its last item, also if all are deleted concurrently', async () => {
    const workers = await startWorkers(market.ctx, { queues: ['transcoding-status'] });
    try {
      const another = await registerUser(market.api);
      const item = await offeredUpload();
      const [one, two] = [
        await market.acquired(item.marketplaceId),
        await market.acquired(item.marketplaceId, another),
      ];
      await withdraw(item.marketplaceId);
      const responses = await Promise.all([
        remove(item.boxId, seller),
        remove(one.boxId, acquirer),
        remove(two.boxId, another),
      ]);
      expect(responses.map(({ status }) => status)).to.deep.equal([204, 204, 204]);
      await eventually(async () => expect(await stateOf(item.resourceId)).to.equal(undefined));
    } finally {
      await workers.close();
    }
  });

  it('returns 409 for the deletion of a published item', async () => {
    const { marketplaceId } = await market.offer();
    const { boxId } = await market.acquired(marketplaceId);
    const { body: vod } = await market.call('POST', `/api/box/${boxId}/vod`, free);
    expect((await remove(boxId, acquirer)).status).to.equal(409);
    await market.call('DELETE', `/api/vod/${vod.vodId}`);
    expect((await remove(boxId, acquirer)).status).to.equal(204);
  });

  describe('GET /api/content/:contentId/download', () => {
    it('returns 200 for a holder whose license permits it, otherwise 404', async () => {
      for (const [conditions, status] of [
        [{ ...free, download: true }, 200],
        [{ licenseType: 'CREATIVE_COMMONS', ccType: 'BY', download: true }, 200],
        [free, 404],
        [{ licenseType: 'CREATIVE_COMMONS', ccType: 'BY' }, 404],
        [{ licenseType: 'PAY_PER_VIEW', pricePerView: '1' }, 404],
      ] as const) {
        const { marketplaceId, contentId } = await market.offer(conditions);
        expect((await download(contentId)).status).to.equal(404);
        await market.acquired(marketplaceId);
        expect((await download(contentId)).status, JSON.stringify(conditions)).to.equal(status);
      }
    });

    it('200: sends the file under the name of the upload', async () => {
      const item = await offeredUpload({ ...free, download: true });
      await market.acquired(item.marketplaceId);
      const { token } = (await download(item.contentId)).body;
      const file = await fetch(`${market.api.url}/download/content/${item.contentId}?token=${token}`);
      expect(file.status).to.equal(200);
      expect((await file.arrayBuffer()).byteLength).to.equal(50_000);
      expect(file.headers.get('content-disposition')).to.contain('video.mp4');
    });
  });

  describe('with a thumbnail', () => {
    async function withThumbnail(): Promise<{ marketplaceId: string; boxId: string; thumbnailId: string }> {
      const form = new FormData();
      const image = sharp({ create: { width: 200, height: 100, channels: 3, background: '#336699' } });
      form.append('thumbnail', new Blob([new Uint8Array(await image.png().toBuffer())]), 'image.png');
      const { thumbnailId } = (await market.api.call('POST', '/api/thumbnail', { token: seller.token, body: form }))
        .body;
      const { boxId, marketplaceId } = await market.offer();
      await market.call('POST', `/api/box/${boxId}`, { title: 'A video', thumbnailId }, seller);
      return { boxId, marketplaceId, thumbnailId };
    }

    it('shows the seller’s thumbnail in the acquired item, and accepts it when sent back', async () => {
      const { marketplaceId, thumbnailId } = await withThumbnail();
      const held = await market.acquired(marketplaceId);
      expect(held.thumbnailId).to.equal(thumbnailId);
      expect((await market.call('POST', `/api/box/${held.boxId}`, held)).body).to.deep.equal(held);
      await market.call('POST', `/api/box/${held.boxId}`, { title: 'A video' });
      const refused = await market.call('POST', `/api/box/${held.boxId}`, { title: 'A video', thumbnailId });
      expect(refused.status).to.equal(400);
    });

    it('keeps the thumbnail when the seller chooses another one and deletes the item', async () => {
      const { marketplaceId, boxId, thumbnailId } = await withThumbnail();
      const held = await market.acquired(marketplaceId);
      await market.call('POST', `/api/box/${boxId}`, { title: 'A video' }, seller);
      await withdraw(marketplaceId);
      await remove(boxId, seller);
      market.ctx.clock.advance(2 * 86_400_000);
      await removeUnusedThumbnails(market.ctx, thumbnailRegistry);
      expect((await market.call('GET', `/api/box/${held.boxId}`)).body.thumbnailId).to.equal(thumbnailId);
      expect((await fetch(`${market.api.url}/asset/thumbnail/${thumbnailId}`)).status).to.equal(200);
      await remove(held.boxId, acquirer);
      await removeUnusedThumbnails(market.ctx, thumbnailRegistry);
      expect((await storedKeys(market.ctx)).filter((key) => key.includes(thumbnailId))).to.deep.equal([]);
    });
  });
});
