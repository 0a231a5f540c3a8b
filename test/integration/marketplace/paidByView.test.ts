import { expect } from 'chai';
import { registerUser, type TestResponse, type TestUser } from '../../support/api.js';
import { seedStream } from '../../support/contents.js';
import { marketFixture, type OfferedItem } from '../../support/marketplace.js';
import { makeSeller } from '../../support/sellers.js';
import { back, payInSandbox } from '../../support/payments.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';

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

      it('cannot be published for free, bundled, downloaded or offered again', async () => {
        const bundle = { name: 'A bundle', price: '9,00', duration: 1, durationUnit: 'MONTHS' };
        const { bundleId } = bodyOf(201, await call('POST', '/api/contentbundle', bundle));
        for (const conditions of [
          { licenseType: 'FREE' },
          { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' },
          { licenseType: 'CONTENT_BUNDLE', bundleId },
        ])
          expect(rejectedFields(await call('POST', `/api/box/${boxId}/vod`, conditions)).join()).to.match(
            /^licenseType /,
          );
        const insertion = { index: 0, sourceItems: [{ boxId }] };
        expect((await call('POST', `/api/contentbundle/${bundleId}/items/insert`, insertion)).status).to.equal(400);
        expect((await call('GET', `/api/content/${offered.contentId}/download`)).status).to.equal(404);
        expect((await call('POST', `/api/box/${boxId}/marketplace`, { licenseType: 'FREE' })).status).to.equal(409);
      });
    });
  }

  it('returns 400 for a price below the licensor’s fixed amount', async () => {
    claim = await registerUser(market.api);
    await makeSeller(market.ctx, claim.userId);
    const { boxId } = await market.acquired((await market.offer(licenses[0])).marketplaceId, claim);
    const cheap = { ...perView, pricePerView: '1,42' };
    expect(rejectedFields(await market.call('POST', `/api/box/${boxId}/vod`, cheap, claim))).to.deep.equal([
      'pricePerView priceBelowLicense',
    ]);
    bodyOf(201, await market.call('POST', `/api/box/${boxId}/vod`, { ...perView, pricePerView: '1,43' }, claim));
  });

  for (const license of [{ licenseType: 'FREE' }, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' }] as const) {
    it(`plays completely under a license that is not paid per view: ${license.licenseType}`, async () => {
      const { boxId } = await market.acquired((await market.offer(license)).marketplaceId);
      const { streamer } = bodyOf(200, await market.call('POST', `/api/box/${boxId}/play`));
      expect(streamer).to.contain('.full.');
    });
  }
});
