import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { makeSeller } from '../../support/sellers.js';
import { inBundle, openShop, perView } from './shop.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/box/{boxId}/vod and /api/vod/{vodId}, for money', () => {
  const shop = useFixture(openShop);

  const readPublic = (vodId: string) => shop.api.call('GET', `/api/public/vod/${vodId}`, { token: shop.anybody });
  const readPrivate = (vodId: string) => shop.api.call('GET', `/api/vod/${vodId}`, { token: shop.publisher.token });

  describe('for PAY_PER_VIEW', () => {
    it('returns 201 with the price in the private and in the public view', async () => {
      const { vodId, body } = await shop.published({ licenseType: 'PAY_PER_VIEW', pricePerView: '4,5' });
      expect(body).to.include({ licenseType: 'PAY_PER_VIEW', pricePerView: '4,50' });
      expect(body).to.not.have.any.keys('bundle', 'ccType');
      expect(bodyOf(200, await readPrivate(vodId))).to.deep.equal(body);
      expect(bodyOf(200, await readPublic(vodId))).to.include({ licenseType: 'PAY_PER_VIEW', pricePerView: '4,50' });
    });

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

    it('returns 400 for an invalid price, and keeps the item unchanged', async () => {
      const { boxId, vodId, body } = await shop.published(perView);
      const wrong = ['0,00', '-1,00', '1,005', 'four', '€ 4,00', { cents: 400 }, '1000000,00'];
      for (const [pricePerView, rejected] of [
        ...[undefined, ''].map((price) => [price, 'pricePerView required'] as const),
        ...wrong.map((price) => [price, 'pricePerView price'] as const),
      ]) {
        const conditions = { ...perView, pricePerView };
        expect(rejectedFields(await shop.publish(boxId, conditions))).to.deep.equal([rejected]);
        expect(rejectedFields(await shop.update(vodId, conditions))).to.deep.equal([rejected]);
      }
      expect((await readPrivate(vodId)).body).to.deep.equal(body);
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

    it('returns 404 for an unknown item before the data are checked', async () => {
      const poor = await registerUser(shop.api);
      const { boxId, vodId } = await shop.published();
      expect((await shop.publish(boxId, perView, poor)).status).to.equal(404);
      expect((await shop.publish(randomUUID(), perView)).status).to.equal(404);
      expect((await shop.update(vodId, perView, poor)).status).to.equal(404);
      expect((await shop.update('1', perView)).status).to.equal(404);
    });
  });
});
