import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser, type TestUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { registerSeller } from '../../support/sellers.js';
import { free, marketFixture, spotPrice } from '../../support/marketplace.js';
import { rejectedFields } from '../../support/responses.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('Offers', () => {
  const market = marketFixture();
  const { seller } = market;
  const otherUser = useFixture(() => registerSeller(market.api));

  const publish = (boxId: string, body: object, as = seller) =>
    market.call('POST', `/api/box/${boxId}/marketplace`, body, as);
  const change = (marketplaceId: string, body: object, as = seller) =>
    market.call('POST', `/api/marketplace/${marketplaceId}`, body, as);
  const read = (marketplaceId: string, as = seller) =>
    market.call('GET', `/api/marketplace/${marketplaceId}`, undefined, as);
  const readPublic = (marketplaceId: string) =>
    market.api.call('GET', `/api/public/marketplace/${marketplaceId}`, { token: market.anybody.token });

  describe('POST /api/box/:boxId/marketplace', () => {
    it('201: responds with the offer; it can be read publicly with its seller', async () => {
      const item = await seedBoxItem(market.ctx, seller.userId, {
        title: 'Snow',
        description: 'White',
        tags: ['winter'],
        durationMs: 187_000,
      });
      const { status, body } = await publish(item.boxId, spotPrice);
      expect(status).to.equal(201);
      expect(body).to.deep.equal({
        marketplaceId: body.marketplaceId,
        boxId: item.boxId,
        contentId: `urn:video:content:${item.contentId}`,
        resourceId: item.contentId,
        title: 'Snow',
        description: 'White',
        tags: ['winter'],
        duration: '3:07',
        conditions: { licenseType: 'SPOT_PRICE', activationPrice: '12,50', download: false },
      });
      expect((await read(body.marketplaceId)).body).to.deep.equal(body);
      expect((await readPublic(body.marketplaceId)).body).to.deep.equal({
        ...body,
        seller: { userCode: seller.userCode, licenseExpired: false },
      });
    });

    it('409: with the reason that its owner reads, while the content is FAILED', async () => {
      const failureKey = 'content.failure.empty';
      const { boxId } = await seedBoxItem(market.ctx, seller.userId, { state: 'FAILED', failureKey });
      const refused = await publish(boxId, free);
      expect([refused.status, refused.body.message]).to.deep.equal([
        409,
        'This content could not be processed, so it cannot be offered. The file is empty.',
      ]);
    });

    for (const state of ['PENDING', 'FAILED'] as const) {
      it(`409: while the content is ${state}`, async () => {
        const { boxId } = await seedBoxItem(market.ctx, seller.userId, { state });
        const refused = await publish(boxId, free);
        expect(refused.status).to.equal(409);
        expect(refused.body.message).to.match(/not ready/);
      });
    }

    it('201 for a live recording, 409 for an acquired item', async () => {
      const live = await seedBoxItem(market.ctx, seller.userId);
      await changeRow(market.ctx, BoxItem, live.boxId, { source: 'LIVE' });
      expect((await publish(live.boxId, free)).status).to.equal(201);
      const { marketplaceId } = await market.offer({ ...free, download: true });
      const { boxId } = await market.acquired(marketplaceId);
      const refused = await publish(boxId, free, market.acquirer);
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/acquired/);
    });

    it('404: for a box item of another user, an unknown and a malformed id', async () => {
      const { boxId } = await seedBoxItem(market.ctx, seller.userId);
      const responses = [
        await publish(boxId, free, otherUser),
        await publish(boxId, spotPrice, otherUser),
        await publish(randomUUID(), free),
        await publish('none', free),
      ];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    });

    it('201: one box item can have several offers', async () => {
      const { boxId, marketplaceId } = await market.offer();
      const again = await publish(boxId, spotPrice);
      expect(again.status).to.equal(201);
      expect(again.body.marketplaceId).to.not.equal(marketplaceId);
    });

    it('409: of an offer and the deletion of the box item at the same time one succeeds, never both', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { boxId } = await seedBoxItem(market.ctx, seller.userId);
        const [published, deleted] = await Promise.all([
          publish(boxId, free),
          market.call('DELETE', `/api/box/${boxId}`, undefined, seller),
        ]);
        expect([
          [201, 409],
          [404, 204],
        ]).to.deep.include([published.status, deleted.status]);
      }
    });
  });

  describe('GET /api/marketplace/:marketplaceId, GET /api/public/marketplace/:marketplaceId', () => {
    it('200 for the seller, 404 for other users', async () => {
      const { marketplaceId } = await market.offer();
      const responses = [await read(marketplaceId, otherUser), await read(randomUUID()), await read('1')];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    });

    it('404: for an unknown offer, and where the content is not READY any more', async () => {
      expect((await readPublic(randomUUID())).status).to.equal(404);
      expect((await readPublic('1')).status).to.equal(404);
      const { marketplaceId, contentId } = await market.offer();
      await changeRow(market.ctx, Content, contentId, { state: 'FAILED' });
      expect((await readPublic(marketplaceId)).status).to.equal(404);
      expect((await market.acquire(marketplaceId)).status).to.equal(404);
      expect((await read(marketplaceId)).status).to.equal(200);
    });

    it('404: for the offers of a disabled seller', async () => {
      const leaving = await registerUser(market.api);
      const { marketplaceId } = await market.offer(free, {}, leaving);
      expect((await readPublic(marketplaceId)).status).to.equal(200);
      await market.call('POST', '/api/user/me/disable', undefined, leaving);
      expect((await readPublic(marketplaceId)).status).to.equal(404);
      expect((await market.acquire(marketplaceId)).status).to.equal(404);
    });
  });

  describe('POST /api/marketplace/:marketplaceId', () => {
    it('200: replaces all conditions', async () => {
      const { marketplaceId } = await market.offer({ ...free, download: true, duration: 3, durationUnit: 'DAYS' });
      expect((await change(marketplaceId, spotPrice)).body.conditions).to.deep.equal({
        licenseType: 'SPOT_PRICE',
        activationPrice: '12,50',
        download: false,
      });
    });

    it('200: without a license type, conditions that are not sent stay', async () => {
      const { marketplaceId } = await market.offer({ ...free, download: true, duration: 3, durationUnit: 'YEARS' });
      const conditions = async (body: object) => (await change(marketplaceId, body)).body.conditions;
      const present = { licenseType: 'FREE', duration: 3, durationUnit: 'YEARS' };
      expect(await conditions({ download: false })).to.deep.equal({ ...present, download: false });
      expect(await conditions({ duration: 5 })).to.deep.equal({ ...present, duration: 5, download: false });
      expect(await conditions({ activationPrice: '2,00', durationUnit: 'DAYS' })).to.deep.equal({
        ...present,
        ...{ duration: 5, durationUnit: 'DAYS', download: false },
      });
      expect(await conditions(spotPrice)).to.deep.equal({ ...spotPrice, download: false });
      expect(await conditions({ activationPrice: '2' })).to.include({ activationPrice: '2,00' });
      expect(await conditions({ download: true })).to.include({ activationPrice: '2,00', download: true });
      for (const [body, refused] of [
        [{ duration: 5 }, 'duration durationTogether'],
        [{ licenseType: 'PAY_PER_VIEW' }, 'pricePerView required'],
        [{ licenseType: 'SPOT_PRICE' }, 'activationPrice required'],
        [{ duration: 101, durationUnit: 'YEARS' }, 'duration maximum'],
        [{}, 'licenseType required'],
      ] as const)
        expect(rejectedFields(await change(marketplaceId, body))).to.deep.equal([refused]);
    });

    it('404: for other users, also for DELETE', async () => {
      const { marketplaceId } = await market.offer();
      const withdraw = (id: string, as: TestUser) => market.call('DELETE', `/api/marketplace/${id}`, undefined, as);
      const responses = [
        await change(marketplaceId, spotPrice, otherUser),
        await change(randomUUID(), free),
        await change('1', free),
        await withdraw(marketplaceId, otherUser),
        await withdraw(randomUUID(), seller),
        await withdraw('1', seller),
      ];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404, 404]);
      expect((await read(marketplaceId)).body.conditions.licenseType).to.equal('FREE');
    });
  });

  describe('DELETE /api/marketplace/:marketplaceId', () => {
    it('204, then 404: withdraws the offer; the box item stays, and can be deleted only afterwards', async () => {
      const { marketplaceId, boxId } = await market.offer();
      const withdraw = () => market.call('DELETE', `/api/marketplace/${marketplaceId}`, undefined, seller);
      const remove = () => market.call('DELETE', `/api/box/${boxId}`, undefined, seller);
      const refused = await remove();
      expect(refused.status).to.equal(409);
      expect(refused.body.exception).to.contain('DataIntegrityViolationException');
      expect((await withdraw()).status).to.equal(204);
      expect((await withdraw()).status).to.equal(404);
      expect((await read(marketplaceId)).status).to.equal(404);
      expect((await readPublic(marketplaceId)).status).to.equal(404);
      expect((await remove()).status).to.equal(204);
    });
  });

  describe('POST /api/public/marketplace/:marketplaceId/preview', () => {
    const preview = (marketplaceId: string, token = market.anybody.token) =>
      market.api.call('POST', `/api/public/marketplace/${marketplaceId}/preview`, { token });

    it('200: returns URLs of the first fifteen seconds, at any price', async () => {
      const { marketplaceId, folder } = await market.offer(spotPrice);
      const { status, body } = await preview(marketplaceId);
      expect(status).to.equal(200);
      expect(body.result).to.equal('PLAY');
      expect(body.resource).to.deep.equal((await readPublic(marketplaceId)).body);
      expect(body.file).to.equal(`${folder}preview/master.m3u8`);
      expect(body.streamer).to.contain('.preview.').and.contain(seller.userCode);
      expect((await preview(marketplaceId, market.acquirer.token)).body.streamer).to.contain(market.acquirer.userCode);
    });

    it('404: where the offer is not public', async () => {
      expect((await preview(randomUUID())).status).to.equal(404);
      expect((await preview('1')).status).to.equal(404);
    });
  });
});
