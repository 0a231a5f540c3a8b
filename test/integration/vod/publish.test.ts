import { expect } from 'chai';
import { BoxItem } from '../../../shared/box/box.model.js';
import type { Transaction } from '../../../shared/platform/database/database.js';
import { seedBoxItem, storedRows, changeRow } from '../../support/rows.js';
import { useFixture } from '../../support/fixtures.js';
import { bodyOf, rejectedFields, registerUser, makeSeller } from '../../support/api.js';
import { whileLocked } from '../../support/statements.js';
import { freeTerms, openShop, perView, inBundle } from './shop.js';
import { User } from '../../../shared/user/user.model.js';

describe('POST /api/box/{boxId}/vod', () => {
  const shop = useFixture(openShop);

  const newBoxItem = async () => (await seedBoxItem(shop.ctx, shop.publisher.userId)).boxId;

  it('returns 201 with the complete item to the owner, and everybody can read the public view', async () => {
    const texts = { title: 'Snow', description: 'White', tags: ['winter'] };
    const item = await seedBoxItem(shop.ctx, shop.publisher.userId, { ...texts, durationMs: 187_000 });
    const conditions = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
    const body = bodyOf(201, await shop.publish(item.boxId, conditions));
    const shared = {
      ...{ ...texts, ...conditions, duration: '3:07', vodId: body.vodId, boxId: item.boxId },
      embedUrl: `${shop.ctx.config.service.publicUrl}/embed/?vod=${body.vodId}`,
      contentId: `urn:video:content:${item.contentId}`,
      resourceId: item.contentId,
    };
    const valueDate = shop.ctx.clock.now().toISOString().slice(0, 10).split('-').toReversed().join('/');
    expect(body).to.deep.equal({ ...shared, valueDate, public: true });
    expect((await shop.read(body.vodId)).body).to.deep.equal(body);
    const publisher = { userCode: shop.publisher.userCode, licenseExpired: false };
    expect((await shop.readPublic(body.vodId)).body).to.deep.equal({ ...shared, publisher });
  });

  it('returns 201 without empty members, with `public` as sent (null is true), and repeatedly for one box item', async () => {
    const { boxId, vodId, body } = await shop.published(freeTerms);
    expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId', 'ccType', 'expirationDate');
    expect((await shop.published({ ...freeTerms, public: 'false' })).body.public).to.equal(false);
    expect((await shop.published({ ...freeTerms, public: null })).body.public).to.equal(true);
    for (const ccType of ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND']) {
      const again = bodyOf(201, await shop.publish(boxId, { licenseType: 'CREATIVE_COMMONS', ccType }));
      expect(again).to.include({ ccType }).and.not.include({ vodId });
    }
  });

  it('returns 404, or 409 for the deletion, if the box item is deleted concurrently', async () => {
    for (const [isPublishedFirst, statuses] of [
      [true, [201, 409]],
      [false, [204, 404]],
    ] as const) {
      const boxId = await newBoxItem();
      const removal = () => shop.api.call('DELETE', `/api/box/${boxId}`, { token: shop.publisher.token });
      const calls = [() => shop.publish(boxId, freeTerms), removal];
      const lock = 'SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE';
      const locked = (tx: Transaction) => shop.ctx.db.rows(lock, { boxId }, tx);
      const responses = await whileLocked(shop.ctx, locked, isPublishedFirst ? calls : calls.toReversed());
      expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
      expect(await storedRows(shop.ctx, BoxItem, { id: boxId })).to.have.lengthOf(isPublishedFirst ? 1 : 0);
    }
  });

  it('returns 409 while the content is not READY, with the reason of a failure, and after the box item’s expiry', async () => {
    const failureKey = 'content.failure.unreadable';
    for (const [options, message] of [
      [{ state: 'PENDING' }, /not ready/],
      [{ state: 'FAILED' }, /not ready/],
      [{ state: 'FAILED', failureKey }, /published\. The file is damaged or incomplete: it cannot be read\.$/],
      [{ expiresAt: shop.ctx.clock.now() }, /has ended/],
    ] as const) {
      const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, options);
      for (const terms of [freeTerms, perView])
        expect(bodyOf(409, await shop.publish(boxId, terms)).message).to.match(message);
    }
  });
});

/** Invalid conditions: tests of publishing. Bundles: publishInBundle.test.ts. */
describe('/api/vod/{vodId} and /api/public/vod/{vodId}', () => {
  const shop = useFixture(openShop);

  it('DELETE: returns 204, then 404, and keeps the box item', async () => {
    const { vodId, boxId } = await shop.published(freeTerms);
    expect((await shop.remove(vodId)).status).to.equal(204);
    expect((await shop.remove(vodId)).status).to.equal(404);
    expect((await shop.read(vodId)).status).to.equal(404);
    const { body } = await shop.api.call('GET', `/api/box/${boxId}`, { token: shop.publisher.token });
    expect(body.vodCount).to.equal(0);
  });

  describe('with POST and status 200', () => {
    it('replaces the conditions, and keeps an omitted `public`', async () => {
      const terms = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY', public: false };
      const { vodId, body } = await shop.published(terms);
      const { ccType: _ccType, ...rest } = body;
      expect((await shop.update(vodId, freeTerms)).body).to.deep.equal({ ...rest, licenseType: 'FREE' });
      expect((await shop.update(vodId, { ...freeTerms, public: true })).body.public).to.equal(true);
      expect((await shop.readPublic(vodId)).status).to.equal(200);
    });

    it('changes only the members sent, as far as the license type uses them', async () => {
      const { vodId, body } = await shop.published({ licenseType: 'CREATIVE_COMMONS', ccType: 'BY' });
      const change = async (members: object) => bodyOf(200, await shop.update(vodId, members));
      expect(await change({ public: false })).to.deep.equal({ ...body, public: false });
      expect(await change({ ccType: 'BY_SA' })).to.deep.equal({ ...body, public: false, ccType: 'BY_SA' });
      expect(await change({ pricePerView: '2,00' }))
        .to.include({ ccType: 'BY_SA' })
        .and.not.have.property('pricePerView');
      for (const [members, rejected] of [
        [{ licenseType: 'PAY_PER_VIEW' }, 'pricePerView required'],
        [{ licenseType: 'CREATIVE_COMMONS' }, 'ccType required'],
        [{ licenseType: 'CONTENT_BUNDLE' }, 'bundleId required'],
        [{}, 'licenseType required'],
      ] as const)
        expect(rejectedFields(await shop.update(vodId, members))).to.deep.equal([rejected]);
      const paid = await change({ licenseType: 'PAY_PER_VIEW', pricePerView: '2,00' });
      expect(paid).to.include({ pricePerView: '2,00', public: false }).and.not.have.property('ccType');
      expect(await change({ public: true })).to.include({ pricePerView: '2,00', public: true });
      expect(await change({ ccType: 'BY' })).to.not.have.property('ccType');
    });
  });
});

describe('POST /api/box/{boxId}/vod and /api/vod/{vodId}, for money', () => {
  const shop = useFixture(openShop);

  describe('for PAY_PER_VIEW', () => {
    it('returns 200 when the price changes, and when the item becomes free and then paid', async () => {
      const { vodId, body } = await shop.published(perView);
      expect(bodyOf(200, await shop.update(vodId, { ...body, pricePerView: '0,01' }))).to.deep.equal({
        ...body,
        pricePerView: '0,01',
      });
      const { pricePerView: _price, ...rest } = body;
      expect(bodyOf(200, await shop.update(vodId, { licenseType: 'FREE' }))).to.deep.equal({
        ...rest,
        licenseType: 'FREE',
      });
      expect(bodyOf(200, await shop.update(vodId, perView))).to.deep.equal(body);
    });
  });

  describe('with seller data', () => {
    it('returns 400 with all missing data, for every paid license type', async () => {
      const owner = await registerUser(shop.api);
      await makeSeller(shop.ctx, owner.userId);
      const bundleId = await shop.newBundle({}, owner);
      const { vodId } = await shop.published({ licenseType: 'FREE' }, {}, owner);
      const { boxId } = await seedBoxItem(shop.ctx, owner.userId);
      await changeRow(shop.ctx, User, owner.userId, {
        paypalEmail: null,
        taxCode: null,
        vatNumber: null,
        billingAddress: { city: 'Roma' },
      });
      for (const conditions of [perView, inBundle(bundleId)]) {
        for (const response of [
          await shop.publish(boxId, conditions, owner),
          await shop.update(vodId, conditions, owner),
        ]) {
          expect(bodyOf(400, response).errors.map(({ field }: { field: string }) => field)).to.deep.equal([
            'finance.paypalEmail',
            'finance.billingAddress',
            'finance.vatNumber',
          ]);
        }
      }
      expect((await shop.publish(boxId, { licenseType: 'FREE' }, owner)).status).to.equal(201);
    });
  });
});
