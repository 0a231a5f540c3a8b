import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { Bundle } from '../../../shared/bundle/bundle.model.js';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { back } from '../../support/payments.js';
import { bodyOf } from '../../support/responses.js';
import { registerSeller } from '../../support/sellers.js';
import { changeRow, storedRows } from '../../support/rows.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { serviceFixture } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';
import { Payment } from '../../../shared/payment/payment.model.js';

describe('a deployment without a payment provider', () => {
  const { ctx, api } = serviceFixture({ PAYMENTS: '' });
  const seller = useFixture(() => registerSeller(api));
  let boxId: string;

  before(async () => {
    ({ boxId } = await seedBoxItem(ctx, seller.userId));
  });

  const post = (path: string, body: object, { token } = seller) =>
    api.call('POST', path, { token, body, headers: { 'accept-language': 'fr' } });
  const paid = { price: '2,00' };

  it('returns 409 for all kinds of paid offers, and for a paid plan', async () => {
    const bundle = { name: 'Videos', duration: 1, durationUnit: 'DAYS', ...paid };
    const spot = { licenseType: 'SPOT_PRICE', activationPrice: '2,00', duration: 1, durationUnit: 'DAYS' };
    for (const [path, body] of [
      [`/api/box/${boxId}/vod`, { licenseType: 'PAY_PER_VIEW', pricePerView: '2,00' }],
      ['/api/contentbundle', bundle],
      [`/api/box/${boxId}/marketplace`, spot],
      ['/api/license/Entry/subscribe', back],
    ] as const)
      expect(bodyOf(409, await post(path, body)).message, path).to.match(/^Ce service n’accepte pas de paiements/);
  });

  it('returns 409 for a price of a free offer, and for any change of an existing bundle', async () => {
    const item = await seedBoxItem(ctx, seller.userId);
    const free = { licenseType: 'FREE', duration: 1, durationUnit: 'DAYS' };
    const { marketplaceId } = bodyOf(201, await post(`/api/box/${item.boxId}/marketplace`, free));
    const price = { licenseType: 'SPOT_PRICE', activationPrice: '2,00', duration: 1, durationUnit: 'DAYS' };
    expect(bodyOf(409, await post(`/api/marketplace/${marketplaceId}`, price)).message).to.include('paiements');
    bodyOf(200, await post(`/api/marketplace/${marketplaceId}`, free));
    const now = ctx.clock.now();
    const bundle = { id: randomUUID(), ownerId: seller.userId, publishedAt: now, updatedAt: now, priceCents: 200 };
    await ctx.db.model(Bundle).create({ ...bundle, name: 'Videos', tags: [], duration: 1, durationUnit: 'DAYS' });
    const changed = { name: 'Clips', duration: 1, durationUnit: 'DAYS', ...paid };
    expect(bodyOf(409, await post(`/api/contentbundle/${bundle.id}`, changed)).message).to.include('paiements');
  });

  it('returns 409 for the payment of an existing paid item, and publishes free offers', async () => {
    bodyOf(201, await post(`/api/box/${boxId}/marketplace`, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' }));
    const { vodId } = bodyOf(201, await post(`/api/box/${boxId}/vod`, { licenseType: 'FREE' }));
    await changeRow(ctx, VodItem, vodId, { licenseType: 'PAY_PER_VIEW', pricePerViewCents: 200 });
    const buyer = await registerUser(api);
    expect(bodyOf(409, await post(`/api/vod/${vodId}/pay`, back, buyer)).message).to.include('paiements');
    expect(await storedRows(ctx, Payment)).to.deep.equal([]);
    for (const provider of ['none', 'sandbox'])
      expect((await api.call('POST', `/webhooks/${provider}`, { body: '{}' })).status, provider).to.equal(404);
    expect((await api.call('GET', '/readyz')).body.payments).to.equal('none');
  });
});
