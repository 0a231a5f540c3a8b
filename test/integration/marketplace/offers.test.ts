import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { free, marketFixture, spotPrice } from '../../support/marketplace.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { whileLocked } from '../../support/waitingStatements.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { BoxItem } from '../../../shared/box/box.model.js';

describe('operations on offers', () => {
  const market = marketFixture();
  const { seller } = market;

  const publish = (boxId: string, body: object, as = seller) =>
    market.call('POST', `/api/box/${boxId}/marketplace`, body, as);
  const change = (marketplaceId: string, body: object, as = seller) =>
    market.call('POST', `/api/marketplace/${marketplaceId}`, body, as);
  const read = (marketplaceId: string, as = seller) =>
    market.call('GET', `/api/marketplace/${marketplaceId}`, undefined, as);
  const readPublic = (marketplaceId: string) =>
    market.api.call('GET', `/api/public/marketplace/${marketplaceId}`, { token: market.anybody.token });
  const preview = (marketplaceId: string, token = market.anybody.token) =>
    market.api.call('POST', `/api/public/marketplace/${marketplaceId}/preview`, { token });

  describe('POST /api/box/:boxId/marketplace', () => {
    it('returns 201 with the offer, which everybody can read with its seller', async () => {
      const texts = { title: 'Snow', description: 'White', tags: ['winter'] };
      const item = await seedBoxItem(market.ctx, seller.userId, { ...texts, durationMs: 187_000 });
      const body = bodyOf(201, await publish(item.boxId, spotPrice));
      expect(body).to.deep.equal({
        ...{ ...texts, duration: '3:07', marketplaceId: body.marketplaceId, boxId: item.boxId },
        ...{ contentId: `urn:video:content:${item.contentId}`, resourceId: item.contentId },
        conditions: { licenseType: 'SPOT_PRICE', activationPrice: '12,50', download: false },
      });
      expect((await read(body.marketplaceId)).body).to.deep.equal(body);
      const shown = { userCode: seller.userCode, licenseExpired: false };
      expect((await readPublic(body.marketplaceId)).body).to.deep.equal({ ...body, seller: shown });
    });

    it('returns 409 while the content is not READY, with the reason shown to its owner', async () => {
      const reason = 'This content could not be processed, so it cannot be offered. The file is empty.';
      for (const [options, message] of [
        [{ state: 'PENDING' }, /not ready/],
        [{ state: 'FAILED' }, /not ready/],
        [{ state: 'FAILED', failureKey: 'content.failure.empty' }, new RegExp(`^${reason}$`)],
      ] as const) {
        const { boxId } = await seedBoxItem(market.ctx, seller.userId, options);
        expect(bodyOf(409, await publish(boxId, free)).message).to.match(message);
      }
    });

    it('returns 201 for a live recording, 409 for an acquired item', async () => {
      const live = await seedBoxItem(market.ctx, seller.userId);
      await changeRow(market.ctx, BoxItem, live.boxId, { source: 'LIVE' });
      expect((await publish(live.boxId, free)).status).to.equal(201);
      const { marketplaceId } = await market.offer({ ...free, download: true });
      const { boxId } = await market.acquired(marketplaceId);
      const refused = await publish(boxId, free, market.acquirer);
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/acquired/);
    });

    it('201: creates several offers of one box item', async () => {
      const { boxId, marketplaceId } = await market.offer();
      expect(bodyOf(201, await publish(boxId, spotPrice)).marketplaceId).to.not.equal(marketplaceId);
    });

    it('returns 404, or 409 for the deletion, if the box item is deleted concurrently', async () => {
      const lock = 'SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE';
      for (const [isOfferedFirst, statuses] of [
        [true, [201, 409]],
        [false, [204, 404]],
      ] as const) {
        const { boxId } = await seedBoxItem(market.ctx, seller.userId);
        const removal = () => market.call('DELETE', `/api/box/${boxId}`, undefined, seller);
        const calls = [() => publish(boxId, free), removal];
        const responses = await whileLocked(
          market.ctx,
          (tx) => market.ctx.db.rows(lock, { boxId }, tx),
          isOfferedFirst ? calls : calls.toReversed(),
        );
        expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
      }
    });
  });

  describe('GET /api/marketplace/:marketplaceId, GET /api/public/marketplace/:marketplaceId', () => {
    it('returns 404 for an unknown offer, and if the content is no longer READY', async () => {
      for (const id of [randomUUID(), '1']) {
        expect((await readPublic(id)).status).to.equal(404);
        expect((await preview(id)).status).to.equal(404);
      }
      const { marketplaceId, contentId } = await market.offer();
      await changeRow(market.ctx, Content, contentId, { state: 'FAILED' });
      expect((await readPublic(marketplaceId)).status).to.equal(404);
      expect((await market.acquire(marketplaceId)).status).to.equal(404);
      expect((await read(marketplaceId)).status).to.equal(200);
    });

    it('returns 404 for a disabled seller’s offers', async () => {
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

    it('200: without a license type, keeps the conditions that are not sent', async () => {
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
  });

  describe('DELETE /api/marketplace/:marketplaceId', () => {
    it('returns 204, then 404, and keeps the box item, which can be deleted only afterwards', async () => {
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
    it('200: returns URLs of the first fifteen seconds, whatever the price', async () => {
      const { marketplaceId, folder } = await market.offer(spotPrice);
      const { status, body } = await preview(marketplaceId);
      expect(status).to.equal(200);
      expect(body.result).to.equal('PLAY');
      expect(body.resource).to.deep.equal((await readPublic(marketplaceId)).body);
      expect(body.file).to.equal(`${folder}preview/master.m3u8`);
      expect(body.streamer).to.contain('.preview.').and.contain(seller.userCode);
      expect((await preview(marketplaceId, market.acquirer.token)).body.streamer).to.contain(market.acquirer.userCode);
    });
  });
});
