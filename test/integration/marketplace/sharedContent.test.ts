import { expect } from 'chai';
import sharp from 'sharp';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { usageOf } from '../../../shared/license/usage.service.js';
import { removeUnusedThumbnails } from '../../../shared/content/thumbnailRemoval.service.js';
import { thumbnailRegistry } from '../../../shared/thumbnails.js';
import { registerUser, type TestUser, type TestResponse, makeSeller, bodyOf } from '../../support/api.js';
import { seedStream, changeRow, storedRows } from '../../support/rows.js';
import { free, marketFixture, type OfferedItem } from './marketFixture.js';
import { storedKeys } from '../../support/media.js';
import { upload } from '../../support/uploads.js';
import { Content } from '../../../shared/content/content.model.js';
import { back, payInSandbox } from '../../support/payments.js';

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

const perView = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' } as const;

/** Licenses that are free to acquire and pay their licensor per view. */
const licenses = [
  { licenseType: 'PAY_PER_VIEW', pricePerView: '1,00' },
  { licenseType: 'REVENUE_SHARING', earningPercentage: 50 },
] as const;

describe('a content whose license pays the licensor per view', () => {
  const market = marketFixture();
  let claim: TestUser;

  for (const license of licenses) {
    describe(license.licenseType, () => {
      let offered: OfferedItem;
      let boxId: string;

      beforeEach(async () => {
        claim = await registerUser(market.api);
        await makeSeller(market.ctx, claim.userId);
        offered = await market.offer(license);
        ({ boxId } = await market.acquired(offered.marketplaceId, claim));
      });

      const call = (method: string, path: string, body?: unknown, by = claim) => market.call(method, path, body, by);
      const published = async (more: object = {}): Promise<string> =>
        bodyOf(201, await call('POST', `/api/box/${boxId}/vod`, { ...perView, ...more })).vodId;

      /** Expects a result that plays, with URLs that open only the preview. */
      async function expectPreview(response: TestResponse): Promise<void> {
        const { result, streamer, uniqueStreamer } = bodyOf(200, response);
        expect(result).to.equal('PLAY');
        for (const address of [streamer, uniqueStreamer] as string[]) {
          const local = address.replace(/^https?:\/\/[^/]+/, market.api.url);
          expect(local).to.contain('.preview.').and.contain('/preview/master.m3u8');
          expect((await fetch(local)).status).to.equal(200);
          const complete = local.replace('/preview/master.m3u8', '/master.m3u8');
          expect((await fetch(complete)).status).to.equal(403);
        }
      }

      it('plays as a preview for its holder: in the box and published, also unlisted, on both paths', async () => {
        await seedStream(market.ctx, offered.folder);
        await expectPreview(await call('POST', `/api/box/${boxId}/play`));
        for (const more of [{}, { public: false }]) {
          const vodId = await published(more);
          await expectPreview(await call('POST', `/api/vod/${vodId}/play`, {}));
        }
        const vodId = await published();
        await expectPreview(await call('POST', `/api/public/vod/${vodId}/play`, {}));
        expect((await call('POST', `/api/vod/${vodId}/pay`, back)).status).to.equal(409);
      });

      it('plays completely for its seller, and for viewers who pay the holder', async () => {
        const own = bodyOf(200, await call('POST', `/api/box/${offered.boxId}/play`, undefined, market.seller));
        expect([own.result, own.streamer.includes('.full.')]).to.deep.equal(['PLAY', true]);
        const vodId = await published();
        const viewer = await registerUser(market.api);
        for (const by of [viewer, market.seller])
          expect(bodyOf(200, await call('POST', `/api/vod/${vodId}/play`, {}, by)).result).to.equal('PAYMENT_REQUIRED');
        const { trackingId } = bodyOf(200, await call('POST', `/api/vod/${vodId}/pay`, back, viewer));
        await payInSandbox(market.ctx, trackingId);
        const paid = bodyOf(200, await call('POST', `/api/vod/${vodId}/play`, { trackingId }, viewer));
        expect([paid.result, paid.streamer.includes('.full.')]).to.deep.equal(['PLAY', true]);
      });
    });
  }

  for (const license of [{ licenseType: 'FREE' }, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' }] as const) {
    it(`plays completely under a license that is not paid per view: ${license.licenseType}`, async () => {
      const { boxId } = await market.acquired((await market.offer(license)).marketplaceId);
      const { streamer } = bodyOf(200, await market.call('POST', `/api/box/${boxId}/play`));
      expect(streamer).to.contain('.full.');
    });
  }
});
