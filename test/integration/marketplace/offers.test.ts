import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { free, marketFixture, spotPrice } from './marketFixture.js';
import { whileLocked } from '../../support/statements.js';
import { Content } from '../../../shared/content/content.model.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { registerUser, makeSeller, bodyOf, rejectedFields } from '../../support/api.js';

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
  });

  describe('POST /api/marketplace/:marketplaceId', () => {
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

const creativeCommons = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
const payPerView = { licenseType: 'PAY_PER_VIEW', pricePerView: '0,40' };
const revenueSharing = { licenseType: 'REVENUE_SHARING', earningPercentage: 12.5 };

describe('the conditions of an offer', () => {
  const market = marketFixture();
  const { seller } = market;

  const publish = (boxId: string, body: object, as = seller) =>
    market.call('POST', `/api/box/${boxId}/marketplace`, body, as);
  const change = (marketplaceId: string, body: object, as = seller) =>
    market.call('POST', `/api/marketplace/${marketplaceId}`, body, as);
  const read = (marketplaceId: string, as = seller) =>
    market.call('GET', `/api/marketplace/${marketplaceId}`, undefined, as);
  const fieldsOf = (response: { body: { errors: { field: string }[] } }) =>
    response.body.errors.map(({ field }) => field);

  /** The conditions sent, and the members that differ in the response; null: omitted. */
  const forms: readonly (readonly [object, object])[] = [
    [free, {}],
    [{ ...free, download: true, duration: 2, durationUnit: 'YEARS' }, {}],
    [{ ...creativeCommons, download: 'true' }, { download: true }],
    [
      { ...spotPrice, activationPrice: '3', duration: '30', durationUnit: 'DAYS', download: true },
      { activationPrice: '3,00', duration: 30 },
    ],
    [{ ...payPerView, download: false, duration: 1, durationUnit: 'MONTHS' }, {}],
    [revenueSharing, {}],
    [{ ...revenueSharing, earningPercentage: '33,33' }, { earningPercentage: 33.33 }],
    [{ ...revenueSharing, earningPercentage: 0 }, {}],
    [{ ...revenueSharing, earningPercentage: 100 }, {}],
    [
      { ...creativeCommons, activationPrice: 'x', pricePerView: '1', duration: 1, durationUnit: 'DAYS' },
      { activationPrice: null, pricePerView: null, duration: null, durationUnit: null },
    ],
    [
      { ...revenueSharing, ccType: 'MINE', activationPrice: '1,00', download: true },
      { ccType: null, activationPrice: null, download: false },
    ],
    [
      { ...payPerView, activationPrice: '1,00', earningPercentage: 500, download: 'perhaps' },
      { activationPrice: null, earningPercentage: null, download: false },
    ],
    [
      { ...free, duration: '', durationUnit: 'DAYS', download: ' ' },
      { duration: null, durationUnit: null, download: false },
    ],
    [
      { ...free, ccType: '', activationPrice: null, pricePerView: '', earningPercentage: '', duration: null },
      { ccType: null, pricePerView: null, earningPercentage: null },
    ],
  ];
  it('are accepted with 201 in every form that clients send, and with 200 in an update', async () => {
    const { boxId } = await seedBoxItem(market.ctx, seller.userId);
    for (const [conditions, different] of forms) {
      const members = Object.entries({ download: false, ...conditions, ...different });
      const shown = Object.fromEntries(members.filter(([, value]) => value !== null));
      const body = bodyOf(201, await publish(boxId, conditions));
      expect(body.conditions).to.deep.equal(shown);
      const { marketplaceId } = (await publish(boxId, free)).body;
      expect((await change(marketplaceId, conditions)).body).to.deep.equal({ ...body, marketplaceId });
      expect((await change(marketplaceId, shown)).body.conditions).to.deep.equal(shown);
    }
  });

  for (const paid of [spotPrice, payPerView, revenueSharing]) {
    it(`return 400 for ${paid.licenseType} without the seller requirements`, async () => {
      const amateur = await registerUser(market.api);
      const { boxId } = await seedBoxItem(market.ctx, amateur.userId);
      const refused = await publish(boxId, paid, amateur);
      expect(refused.status).to.equal(400);
      expect(fieldsOf(refused)).to.deep.equal(['finance.paypalEmail', 'finance.billingAddress', 'finance.vatNumber']);
      const { marketplaceId } = (await publish(boxId, free, amateur)).body;
      expect((await change(marketplaceId, paid, amateur)).status).to.equal(400);
      expect((await read(marketplaceId, amateur)).body.conditions.licenseType).to.equal('FREE');
      await makeSeller(market.ctx, amateur.userId);
      expect((await publish(boxId, paid, amateur)).status).to.equal(201);
      expect((await change(marketplaceId, paid, amateur)).status).to.equal(200);
    });
  }
});
