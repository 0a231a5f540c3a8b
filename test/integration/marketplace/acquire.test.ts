import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { registerUser, bodyOf, makeSeller } from '../../support/api.js';
import { free, itemsOf, marketFixture, spotPrice } from './marketFixture.js';
import { AcquiredLicense } from '../../../shared/marketplace/acquiredLicense.model.js';
import { storedRows, changeRow } from '../../support/rows.js';
import { whileLocked } from '../../support/statements.js';
import { acquireLicense } from '../../../shared/marketplace/acquiredLicense.lifecycle.js';
import { acquisitionTermsOf } from '../../../shared/marketplace/acquisitionTerms.js';
import { publishedTermsOf } from '../../../shared/vod/boxItemUses.queries.js';
import { ownOffer } from '../../../shared/marketplace/marketplace.queries.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { NotFoundError } from '../../../shared/platform/errors.js';
import { Content } from '../../../shared/content/content.model.js';
import { rejection } from '../../support/eventually.js';
import { MarketplaceItem } from '../../../shared/marketplace/marketplace.model.js';

const dayMs = 86_400_000;
const aDay = { duration: 1, durationUnit: 'DAYS' };
const dateOf = (moment: Date) => moment.toISOString().slice(0, 10).split('-').toReversed().join('/');

describe('POST /api/marketplace/:marketplaceId/acquire', () => {
  const market = marketFixture();
  const { seller } = market;

  const newcomer = () => registerUser(market.api);
  const readPublic = (id: string) =>
    market.api.call('GET', `/api/public/marketplace/${id}`, { token: market.anybody.token });
  const change = (id: string, conditions: object) => market.call('POST', `/api/marketplace/${id}`, conditions, seller);
  const withdraw = (id: string) => market.call('DELETE', `/api/marketplace/${id}`, undefined, seller);

  it('200: creates a box item of the same content with the license of the offer', async () => {
    const offered = await market.offer(
      { ...free, download: true, ...aDay },
      { title: 'Snow', description: 'White', tags: ['winter'], durationMs: 187_000 },
    );
    const { status, body } = await market.acquire(offered.marketplaceId);
    expect(status).to.equal(200);
    expect(body).to.have.keys('result', 'marketplaceContent', 'boxContent');
    expect(body.result).to.equal('FULFILLED');
    expect(body.marketplaceContent).to.deep.equal((await readPublic(offered.marketplaceId)).body);
    const { boxContent } = body;
    expect(boxContent.boxId).to.not.equal(offered.boxId);
    expect(boxContent).to.deep.equal({
      boxId: boxContent.boxId,
      contentId: `urn:video:content:${offered.contentId}`,
      resourceId: offered.contentId,
      title: 'Snow',
      description: 'White',
      tags: ['winter'],
      duration: '3:07',
      source: 'MARKET_PLACE',
      valueDate: dateOf(market.ctx.clock.now()),
      expirationDate: dateOf(new Date(market.ctx.clock.now().getTime() + dayMs)),
      status: 'READY',
      vodCount: 0,
      marketplaceLicense: {
        licenseId: boxContent.marketplaceLicense.licenseId,
        marketplaceId: offered.marketplaceId,
        issuerCode: seller.userCode,
        licenseType: 'FREE',
        duration: 1,
        durationUnit: 'DAYS',
        download: true,
      },
    });
    expect((await market.call('GET', `/api/box/${boxContent.boxId}`)).body).to.deep.equal(boxContent);
    expect((await market.call('GET', `/api/box/${boxContent.boxId}`, undefined, seller)).status).to.equal(404);
    expect((await market.call('GET', `/api/box/${offered.boxId}`)).status).to.equal(404);
  });

  it('200: is free for licenses without a price, needs no seller data and uses no quota, and pay returns 409', async () => {
    const acquirer = await newcomer();
    const back = { returnUrl: 'https://example.org/', cancelUrl: 'https://example.org/' };
    for (const [conditions, shown] of [
      [free, {}],
      [{ licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC', download: true }, {}],
      [{ licenseType: 'PAY_PER_VIEW', pricePerView: '0,40' }, {}],
      [{ licenseType: 'REVENUE_SHARING', earningPercentage: '12,5' }, { earningPercentage: 12.5 }],
    ] as const) {
      const { marketplaceId } = await market.offer(conditions);
      const { marketplaceLicense, expirationDate } = await market.acquired(marketplaceId, acquirer);
      const { licenseId: _id, ...license } = marketplaceLicense;
      const offered = { marketplaceId, issuerCode: seller.userCode, download: false, ...conditions };
      expect(license).to.deep.equal({ ...offered, ...shown });
      expect(expirationDate).to.equal(undefined);
      expect((await market.call('POST', `/api/marketplace/${marketplaceId}/pay`, back, acquirer)).status).to.equal(409);
    }
    const { storedBytes, uploads } = await usageOf(market.ctx, acquirer.userId);
    expect({ storedBytes, uploads }).to.deep.equal({ storedBytes: 0, uploads: 0 });
  });

  it('200: returns the same item to a repeated request, with any tracking id', async () => {
    const { marketplaceId } = await market.offer();
    const { boxId } = await market.acquired(marketplaceId);
    for (const body of [undefined, {}, null, { trackingId: randomUUID() }, { trackingId: 7 }, { trackingId: '' }]) {
      const again = await market.acquire(marketplaceId, body);
      expect(again.status, again.text).to.equal(200);
      expect(again.body.boxContent?.boxId, JSON.stringify(body)).to.equal(boxId);
    }
  });

  it('200: creates one item for twenty concurrent requests', async () => {
    const acquirer = await newcomer();
    const { marketplaceId } = await market.offer({ ...free, ...aDay });
    const responses = await Promise.all(Array.from({ length: 20 }, () => market.acquire(marketplaceId, {}, acquirer)));
    expect(new Set(responses.map(({ status }) => status))).to.deep.equal(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.boxContent.boxId)).size).to.equal(1);
    expect(await itemsOf(market.ctx, acquirer)).to.equal(1);
  });

  it('200: creates a new item after the first one was deleted', async () => {
    const { marketplaceId } = await market.offer();
    const { boxId } = await market.acquired(marketplaceId);
    expect((await market.call('DELETE', `/api/box/${boxId}`)).status).to.equal(204);
    const again = await market.acquired(marketplaceId);
    expect(again.boxId).to.not.equal(boxId);
    expect(await storedRows(market.ctx, AcquiredLicense, { boxItemId: boxId })).to.deep.equal([]);
  });

  it('returns 409 for the seller', async () => {
    for (const conditions of [free, spotPrice]) {
      const { marketplaceId } = await market.offer(conditions);
      const refused = await market.acquire(marketplaceId, {}, seller);
      expect(refused.status).to.equal(409);
      expect(refused.body.message).to.match(/your own offer/);
    }
  });

  it('returns 404 after a concurrent withdrawal, and an item acquired before still plays', async () => {
    const lock = 'SELECT 1 FROM marketplace_items WHERE id = $marketplaceId FOR UPDATE';
    for (const [isAcquiredFirst, statuses] of [
      [true, [200, 204]],
      [false, [204, 404]],
    ] as const) {
      const acquirer = await newcomer();
      const { marketplaceId, boxId } = await market.offer();
      const calls = [() => market.acquire(marketplaceId, {}, acquirer), () => withdraw(marketplaceId)];
      const responses = await whileLocked(
        market.ctx,
        (tx) => market.ctx.db.rows(lock, { marketplaceId }, tx),
        isAcquiredFirst ? calls : calls.toReversed(),
      );
      expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
      await market.call('DELETE', `/api/box/${boxId}`, undefined, seller);
      expect(await itemsOf(market.ctx, acquirer)).to.equal(isAcquiredFirst ? 1 : 0);
      if (!isAcquiredFirst) continue;
      const path = `/api/box/${responses[0]?.body.boxContent.boxId}/play`;
      expect((await market.call('POST', path, undefined, acquirer)).body.result).to.equal('PLAY');
    }
  });

  describe('an acquired license', () => {
    it('keeps its conditions when the offer changes or is withdrawn', async () => {
      const offered = await market.offer({ ...free, download: true }, { title: 'Before' });
      const item = await market.acquired(offered.marketplaceId);
      await change(offered.marketplaceId, spotPrice);
      await market.call('POST', `/api/box/${offered.boxId}`, { title: 'After' }, seller);
      expect((await market.acquire(offered.marketplaceId)).body.boxContent).to.deep.equal(item);
      await withdraw(offered.marketplaceId);
      expect((await market.call('GET', `/api/box/${item.boxId}`)).body).to.deep.equal(item);
    });

    it('is renewed under the current conditions if it is acquired again after its end', async () => {
      const { marketplaceId } = await market.offer({ ...free, ...aDay });
      const item = await market.acquired(marketplaceId);
      await market.call('POST', `/api/box/${item.boxId}`, { title: 'Mine' });
      market.ctx.clock.advance(dayMs - 1);
      expect((await market.acquired(marketplaceId)).expirationDate).to.equal(item.expirationDate);
      await change(marketplaceId, { ...free, download: true, duration: 2, durationUnit: 'DAYS' });
      market.ctx.clock.advance(1);
      const renewed = await market.acquired(marketplaceId);
      expect(renewed.boxId).to.equal(item.boxId);
      expect(renewed.title).to.equal('Mine');
      expect(renewed.expirationDate).to.equal(dateOf(new Date(market.ctx.clock.now().getTime() + 2 * dayMs)));
      expect(renewed.marketplaceLicense).to.include({ download: true, duration: 2 });
      expect((await market.call('POST', `/api/box/${item.boxId}/play`)).body.result).to.equal('PLAY');
    });

    it('is shown after its end, and cannot be played, published or downloaded', async () => {
      const { marketplaceId } = await market.offer({ ...free, download: true, ...aDay });
      const { boxId, contentId } = await market.acquired(marketplaceId);
      const play = () => market.call('POST', `/api/box/${boxId}/play`);
      const download = () => market.call('GET', `/api/content/${contentId}/download`);
      const publish = () => market.call('POST', `/api/box/${boxId}/vod`, free);
      expect((await play()).body.result).to.equal('PLAY');
      expect((await download()).status).to.equal(200);
      expect((await publish()).status).to.equal(201);
      market.ctx.clock.advance(dayMs);
      expect((await market.call('GET', `/api/box/${boxId}`)).status).to.equal(200);
      expect((await play()).body).to.include({ result: 'MESSAGE', streamer: '' });
      expect((await download()).status).to.equal(404);
      expect((await publish()).status).to.equal(409);
    });
  });
});

describe('POST /api/marketplace/:marketplaceId/acquire, with concurrent changes', () => {
  const market = marketFixture();

  /** Keeps a change uncommitted until `others` waits for its lock, then commits. */
  async function underWay<Result>(
    change: (tx: Transaction) => Promise<unknown>,
    others: () => Promise<Result>,
  ): Promise<Result> {
    const [result] = await whileLocked(market.ctx, change, [others]);
    return result!;
  }

  it('200: waits for a change of the conditions, and applies the new ones', async () => {
    const { marketplaceId } = await market.offer(free);
    const response = await underWay(
      (tx) => {
        const paid = { licenseType: 'SPOT_PRICE', activationPriceCents: 5 } as const;
        return changeRow(market.ctx, MarketplaceItem, marketplaceId, paid, tx);
      },
      () => market.acquire(marketplaceId),
    );
    expect(response.body.result).to.equal('PAYMENT_REQUIRED');
  });

  it('throws NotFoundError after waiting for the deletion of the content', async () => {
    const { marketplaceId, contentId } = await market.offer(spotPrice);
    const { ctx, acquirer } = market;
    const terms = acquisitionTermsOf(await ownOffer(ctx, market.seller.userId, marketplaceId));
    const letGo = (tx: Transaction) => changeRow(ctx, Content, contentId, { state: 'DELETED' }, tx);
    const outcome = underWay(letGo, () =>
      ctx.db.transaction((tx) => acquireLicense(ctx, tx, acquirer.userId, terms, publishedTermsOf)),
    );
    expect(await rejection(outcome)).to.be.instanceOf(NotFoundError);
    expect(await itemsOf(ctx, acquirer)).to.equal(0);
  });

  it('succeeds concurrently with the deletion of the acquired item, in either order', async () => {
    const { ctx } = market;
    const lock = 'SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE';
    for (const isAcquiredFirst of [true, false]) {
      const { marketplaceId } = await market.offer({ ...free, duration: 1, durationUnit: 'DAYS' });
      const { boxId } = await market.acquired(marketplaceId);
      ctx.clock.advance(86_400_000);
      const calls = [() => market.acquire(marketplaceId), () => market.call('DELETE', `/api/box/${boxId}`)];
      const responses = await whileLocked(
        ctx,
        (tx) => ctx.db.rows(lock, { boxId }, tx),
        isAcquiredFirst ? calls : calls.toReversed(),
      );
      expect(responses.map(({ status }) => status)).to.have.members([200, 204]);
    }
  });
});

const perView = (pricePerView: string) => ({ licenseType: 'PAY_PER_VIEW', pricePerView });

describe('renewal of a license under changed conditions', () => {
  const market = marketFixture();

  before(async () => {
    await makeSeller(market.ctx, market.acquirer.userId);
  });

  const change = async (marketplaceId: string, conditions: object) =>
    bodyOf(200, await market.call('POST', `/api/marketplace/${marketplaceId}`, conditions, market.seller));

  const cases: readonly [string, object, object, object][] = [
    ['a free item, now with a revenue share,', free, free, { licenseType: 'REVENUE_SHARING', earningPercentage: 50 }],
    ['a free item, now with a price per view,', free, free, perView('1,00')],
    ['an item below the new price per view', perView('0,01'), perView('0,02'), perView('10,00')],
    ['a paid item, now non-commercial,', free, perView('5,00'), { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC' }],
  ];
  for (const [name, before, publication, after] of cases) {
    it(`returns 409 while ${name} is published`, async () => {
      const { marketplaceId } = await market.offer({ ...before, ...aDay });
      const { boxId } = await market.acquired(marketplaceId);
      const { vodId } = bodyOf(201, await market.call('POST', `/api/box/${boxId}/vod`, publication));
      await change(marketplaceId, after);
      market.ctx.clock.advance(dayMs);
      const refused = bodyOf(409, await market.acquire(marketplaceId));
      expect(refused.exception).to.contain('DataIntegrityViolationException');
      expect(refused.message).to.match(/^The conditions have changed/);
      expect(bodyOf(200, await market.call('POST', `/api/vod/${vodId}/play`, {})).result).to.equal('MESSAGE');
      expect((await market.call('DELETE', `/api/vod/${vodId}`)).status).to.equal(204);
      expect((await market.acquired(marketplaceId)).boxId).to.equal(boxId);
    });
  }

  it('returns 200 if the new conditions permit the published item, which plays again', async () => {
    const { marketplaceId } = await market.offer({ ...perView('0,50'), ...aDay });
    const { boxId } = await market.acquired(marketplaceId);
    const { vodId } = bodyOf(201, await market.call('POST', `/api/box/${boxId}/vod`, perView('2,00')));
    await change(marketplaceId, perView('1,40'));
    market.ctx.clock.advance(dayMs);
    await market.acquired(marketplaceId);
    expect(bodyOf(200, await market.call('POST', `/api/vod/${vodId}/play`, {})).result).to.equal('PLAY');
  });
});
