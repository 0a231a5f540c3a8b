import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, refusedFields } from '../../support/responses.js';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { makeDealer } from '../../support/dealers.js';
import { inBundle, openShop, perView, type Shop } from './selling.js';

describe('VOD for money', () => {
  let shop: Shop;

  before(async () => {
    shop = await openShop();
  });
  after(() => shop?.close());

  const readPublic = (vodId: string) => shop.api.call('GET', `/api/public/vod/${vodId}`, { token: shop.anybody });
  const readPrivate = (vodId: string) => shop.api.call('GET', `/api/vod/${vodId}`, { token: shop.publisher.token });

  describe('by the view', () => {
    it('shows its price to its owner and to everybody', async () => {
      const { vodId, body } = await shop.published({ licenseType: 'PAY_PER_VIEW', pricePerView: '4,5' });
      expect(body).to.include({ licenseType: 'PAY_PER_VIEW', pricePerView: '4,50' });
      expect(body).to.not.have.any.keys('bundle', 'ccType');
      expect(bodyOf(200, await readPrivate(vodId))).to.deep.equal(body);
      expect(bodyOf(200, await readPublic(vodId))).to.include({ licenseType: 'PAY_PER_VIEW', pricePerView: '4,50' });
    });

    it('changes its price, and becomes free and paid again', async () => {
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

    const refusals: readonly [string, object, string][] = [
      ['no price', { licenseType: 'PAY_PER_VIEW' }, 'pricePerView required'],
      ['a blank price', { ...perView, pricePerView: '' }, 'pricePerView required'],
      ['a price of nothing', { ...perView, pricePerView: '0,00' }, 'pricePerView price'],
      ['a price below nothing', { ...perView, pricePerView: '-1,00' }, 'pricePerView price'],
      ['three decimals', { ...perView, pricePerView: '1,005' }, 'pricePerView price'],
      ['a price that is no number', { ...perView, pricePerView: 'four' }, 'pricePerView price'],
      ['a price with a sign', { ...perView, pricePerView: '€ 4,00' }, 'pricePerView price'],
      ['a price that is an object', { ...perView, pricePerView: { cents: 400 } }, 'pricePerView price'],
      ['a price beyond all prices', { ...perView, pricePerView: '1000000,00' }, 'pricePerView price'],
      ['a Creative Commons type', { ...perView, ccType: 'BY' }, 'ccType onlyWithLicense'],
      ['a bundle', { ...perView, bundleId: randomUUID() }, 'bundleId onlyWithLicense'],
    ];
    for (const [name, conditions, refused] of refusals) {
      it(`is refused with ${name}, new or changed`, async () => {
        const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId);
        expect(refusedFields(await shop.publish(boxId, conditions))).to.deep.equal([refused]);
        const { vodId, body } = await shop.published(perView);
        expect(refusedFields(await shop.update(vodId, conditions))).to.deep.equal([refused]);
        expect((await readPrivate(vodId)).body).to.deep.equal(body);
      });
    }
  });

  describe('is for those who may deal in money', () => {
    it('and says all that is missing, for every paid kind, new or changed', async () => {
      const owner = await registerUser(shop.api);
      await makeDealer(shop.ctx, owner.userId);
      const bundleId = await shop.newBundle({}, owner);
      const { vodId } = await shop.published({ licenseType: 'FREE' }, {}, owner);
      const { boxId } = await seedBoxItem(shop.ctx, owner.userId);
      await shop.ctx.db.change(
        `UPDATE users SET paypal_email = NULL, tax_code = NULL, vat_number = NULL, billing_address = '{"city": "Roma"}' WHERE id = $id`,
        { id: owner.userId },
      );
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

    it('but what is not there is not there, whoever asks', async () => {
      const poor = await registerUser(shop.api);
      const { boxId, vodId } = await shop.published();
      expect((await shop.publish(boxId, perView, poor)).status).to.equal(404);
      expect((await shop.publish(randomUUID(), perView)).status).to.equal(404);
      expect((await shop.update(vodId, perView, poor)).status).to.equal(404);
      expect((await shop.update('1', perView)).status).to.equal(404);
    });
  });

  it('needs a content that is READY', async () => {
    const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, { state: 'PENDING' });
    expect((await shop.publish(boxId, perView)).status).to.equal(409);
  });

  it('needs a license that has not ended', async () => {
    const { boxId } = await seedBoxItem(shop.ctx, shop.publisher.userId, { expiresAt: shop.ctx.clock.now() });
    expect(bodyOf(409, await shop.publish(boxId, { licenseType: 'FREE' })).message).to.match(/has ended/);
  });
});
