import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser, type TestUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { makeDealer } from '../../support/dealers.js';
import { free, openMarket, spotPrice, type Market } from '../../support/marketplace.js';

describe('Offers on the marketplace', () => {
  let market: Market;
  let seller: TestUser;
  let stranger: TestUser;

  before(async () => {
    market = await openMarket();
    ({ seller } = market);
    stranger = await registerUser(market.api);
    await makeDealer(market.ctx, stranger.userId);
  });
  after(() => market.close());

  const publish = (boxId: string, body: object, as = seller) =>
    market.call('POST', `/api/box/${boxId}/marketplace`, body, as);
  const change = (marketplaceId: string, body: object, as = seller) =>
    market.call('POST', `/api/marketplace/${marketplaceId}`, body, as);
  const read = (marketplaceId: string, as = seller) =>
    market.call('GET', `/api/marketplace/${marketplaceId}`, undefined, as);
  const readPublic = (marketplaceId: string) =>
    market.api.call('GET', `/api/public/marketplace/${marketplaceId}`, { token: market.anybody });

  describe('publishing', () => {
    it('answers the offer; everybody reads it with its seller', async () => {
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

    for (const state of ['PENDING', 'FAILED'] as const) {
      it(`is refused with 409 while the content is ${state}`, async () => {
        const { boxId } = await seedBoxItem(market.ctx, seller.userId, { state });
        const refused = await publish(boxId, free);
        expect(refused.status).to.equal(409);
        expect(refused.body.message).to.match(/not ready/);
      });
    }

    it('takes what was recorded live, and refuses what was acquired', async () => {
      const live = await seedBoxItem(market.ctx, seller.userId);
      await market.ctx.db.change(`UPDATE box_items SET source = 'LIVE' WHERE id = $boxId`, { boxId: live.boxId });
      expect((await publish(live.boxId, free)).status).to.equal(201);
      const { marketplaceId } = await market.offer({ ...free, download: true });
      const { boxId } = await market.acquired(marketplaceId);
      const refused = await publish(boxId, free, market.acquirer);
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/acquired/);
    });

    it('finds no box item of another user, none unknown, and none with a malformed id', async () => {
      const { boxId } = await seedBoxItem(market.ctx, seller.userId);
      const answers = [
        await publish(boxId, free, stranger),
        await publish(boxId, spotPrice, stranger),
        await publish(randomUUID(), free),
        await publish('none', free),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    });

    it('may be done more than once for one box item', async () => {
      const { boxId, marketplaceId } = await market.offer();
      const again = await publish(boxId, spotPrice);
      expect(again.status).to.equal(201);
      expect(again.body.marketplaceId).to.not.equal(marketplaceId);
    });

    it('and deleting the box item at the same time: one of them wins, never both', async () => {
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

  describe('reading', () => {
    it('shows the private form to nobody but the seller', async () => {
      const { marketplaceId } = await market.offer();
      const answers = [await read(marketplaceId, stranger), await read(randomUUID()), await read('1')];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    });

    it('shows nobody what is unknown, and what is not READY any more', async () => {
      expect((await readPublic(randomUUID())).status).to.equal(404);
      expect((await readPublic('1')).status).to.equal(404);
      const { marketplaceId, contentId } = await market.offer();
      await market.ctx.db.change(`UPDATE contents SET state = 'FAILED' WHERE id = $contentId`, { contentId });
      expect((await readPublic(marketplaceId)).status).to.equal(404);
      expect((await market.acquire(marketplaceId)).status).to.equal(404);
      expect((await read(marketplaceId)).status).to.equal(200);
    });

    it('shows nobody the offers of a disabled seller', async () => {
      const leaving = await registerUser(market.api);
      const { marketplaceId } = await market.offer(free, {}, leaving);
      expect((await readPublic(marketplaceId)).status).to.equal(200);
      await market.call('POST', '/api/user/me/disable', undefined, leaving);
      expect((await readPublic(marketplaceId)).status).to.equal(404);
      expect((await market.acquire(marketplaceId)).status).to.equal(404);
    });
  });

  describe('changing', () => {
    it('replaces the conditions as a whole', async () => {
      const { marketplaceId } = await market.offer({ ...free, download: true, duration: 3, durationUnit: 'DAYS' });
      expect((await change(marketplaceId, spotPrice)).body.conditions).to.deep.equal({
        licenseType: 'SPOT_PRICE',
        activationPrice: '12,50',
        download: false,
      });
    });

    it('and withdrawing are for the seller alone', async () => {
      const { marketplaceId } = await market.offer();
      const withdraw = (id: string, as: TestUser) => market.call('DELETE', `/api/marketplace/${id}`, undefined, as);
      const answers = [
        await change(marketplaceId, spotPrice, stranger),
        await change(randomUUID(), free),
        await change('1', free),
        await withdraw(marketplaceId, stranger),
        await withdraw(randomUUID(), seller),
        await withdraw('1', seller),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404, 404]);
      expect((await read(marketplaceId)).body.conditions.licenseType).to.equal('FREE');
    });
  });

  describe('withdrawing', () => {
    it('takes the offer away, once, and leaves the box item, which is in use until then', async () => {
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

  describe('the preview', () => {
    const preview = (marketplaceId: string, token = market.anybody) =>
      market.api.call('POST', `/api/public/marketplace/${marketplaceId}/preview`, { token });

    it('gives addresses that reach fifteen seconds of it, whatever it costs', async () => {
      const { marketplaceId, folder } = await market.offer(spotPrice);
      const { status, body } = await preview(marketplaceId);
      expect(status).to.equal(200);
      expect(body.result).to.equal('PLAY');
      expect(body.resource).to.deep.equal((await readPublic(marketplaceId)).body);
      expect(body.file).to.equal(`${folder}preview/master.m3u8`);
      expect(body.streamer).to.contain('.preview.').and.contain(seller.userCode);
      expect((await preview(marketplaceId, market.acquirer.token)).body.streamer).to.contain(market.acquirer.userCode);
    });

    it('is not there for what nobody sees', async () => {
      expect((await preview(randomUUID())).status).to.equal(404);
      expect((await preview('1')).status).to.equal(404);
    });
  });
});
