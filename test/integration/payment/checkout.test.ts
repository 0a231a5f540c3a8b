import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApi, type TestResponse, registerUser, publicToken, bodyOf, registerSeller } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { openPaymentHarness, type PaymentHarness } from '../../support/paymentHarness.js';
import { capturesOf, back } from '../../support/payments.js';
import { startWorkers } from '../../support/workers.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { Bundle } from '../../../shared/bundle/bundle.model.js';
import { seedBoxItem, changeRow, storedRows } from '../../support/rows.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { Payment } from '../../../shared/payment/payment.model.js';
import { paymentsPerHour } from '../../../shared/payment/paymentAttempts.js';

const returnUrl = 'https://shop.example/paid?order=1&back=%2F%C3%A9#top';
const cancelUrl = 'https://cancel.example:8443/cancelled?order=1';

describe('the sandbox checkout page', () => {
  const harness = useFixture(() =>
    openPaymentHarness({ BASE_PATH: '/platform', PUBLIC_URL: 'https://video.example/platform' }),
  );
  const api = useFixture(() => startApi(harness.ctx));

  /** The path of a new payment's checkout page, without the base path. */
  async function checkout(order: Parameters<PaymentHarness['start']>[0] = {}) {
    const { trackingId, url } = await harness.start({ returnUrl, cancelUrl, ...order });
    expect(url).to.match(/^https:\/\/video\.example\/platform\/sandbox\/checkout\//);
    return { trackingId, path: new URL(url).pathname.slice('/platform'.length) };
  }

  const press = (
    path: string,
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<TestResponse> =>
    api.call('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: new URLSearchParams(form).toString(),
    });
  const settle = (trackingId: string) => harness.settle(trackingId);

  it('shows title and amount, without scripts, and may redirect only to the order’s URLs', async () => {
    const { path, trackingId } = await checkout({ title: '<b>Fish & "chips"</b>', amountCents: 123_456 });
    const page = await api.call('GET', path);
    expect(page.status).to.equal(200);
    expect(Object.fromEntries(page.headers)).to.include({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
    expect(page.text).to.contain('&lt;b&gt;Fish &amp; &quot;chips&quot;&lt;/b&gt;').and.contain('€1,234.56');
    expect(page.text).not.to.match(/<script/i);
    expect(page.text).not.to.contain(trackingId);
    expect((await api.call('HEAD', path)).status).to.equal(200);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).to.contain("default-src 'none'").and.contain("frame-ancestors 'none'");
    expect(policy).to.contain("form-action 'self' https://shop.example https://cancel.example:8443");
    const nonce = /style-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? '';
    expect(page.text).to.contain(`<style nonce="${nonce}">`);
    expect((await api.call('GET', path)).text).not.to.contain(nonce);
  });

  it('captures once when the button is pressed twice, and redirects to the exact return URL', async () => {
    const { path, trackingId } = await checkout();
    const responses = await Promise.all([press(path, { action: 'pay' }), press(path, { action: 'pay' })]);
    for (const response of responses)
      expect([response.status, response.headers.get('location')]).to.deep.equal([303, returnUrl]);
    expect(await settle(trackingId)).to.equal('FULFILLED');
    expect((await press(path, { action: 'reject' })).headers.get('location')).to.equal(returnUrl);
    expect(await capturesOf(harness.ctx, trackingId)).to.equal(1);
    expect((await api.call('GET', path)).text)
      .to.contain('This order is paid.')
      .and.contain(returnUrl.replace('&', '&amp;'));
  });

  it('rejects permanently, pays later, and simulates every fault', async () => {
    const { path, trackingId } = await checkout();
    for (const action of ['reject', 'pay'])
      expect((await press(path, { action })).headers.get('location')).to.equal(cancelUrl);
    expect(await settle(trackingId)).to.equal('REJECTED');
    const later = await checkout();
    await press(later.path, { action: 'later' });
    expect(await settle(later.trackingId)).to.equal('OPEN');
    harness.ctx.clock.advance(60_000);
    expect(await settle(later.trackingId)).to.equal('FULFILLED');
    const wrong = await checkout();
    expect((await press(wrong.path, { action: 'pay', behaviour: 'WRONG_AMOUNT' })).status).to.equal(303);
    expect(await settle(wrong.trackingId)).to.equal('FAILED');
  });

  it('refunds a paid order once, and no other order', async () => {
    const { path, trackingId } = await checkout();
    expect((await api.call('GET', path)).text).not.to.contain('value="refund"');
    await press(path, { action: 'refund' });
    await press(path, { action: 'pay' });
    expect(await settle(trackingId)).to.equal('FULFILLED');
    expect((await api.call('GET', path)).text).to.contain('value="refund"');
    const workers = await startWorkers(harness.ctx, { queues: ['payment-verification'] });
    try {
      const responses = await Promise.all([press(path, { action: 'refund' }), press(path, { action: 'refund' })]);
      for (const response of responses)
        expect([response.status, response.text.includes('was refunded')]).to.deep.equal([200, true]);
      await eventually(async () => expect(await harness.stateOf(trackingId)).to.equal('REVERSED'));
    } finally {
      await workers.close();
    }
    expect([await settle(trackingId), await harness.grants(trackingId)]).to.deep.equal(['REVERSED', 0]);
    expect((await press(path, { action: 'pay' })).status).to.equal(303);
    expect(await settle(trackingId)).to.equal('REVERSED');
  });

  it('shows that an order has expired', async () => {
    const { path, trackingId } = await checkout();
    harness.ctx.clock.advance(10_800_000);
    expect((await api.call('GET', path)).text)
      .to.contain('This order was not paid in time.')
      .and.not.contain('<form');
    const response = await press(path, { action: 'pay' });
    expect([response.status, response.headers.get('location')]).to.deep.equal([200, null]);
    expect(await settle(trackingId)).to.equal('EXPIRED');
  });

  it('returns 404 for a tracking id and for unknown references', async () => {
    const { trackingId } = await checkout();
    for (const reference of [trackingId, randomUUID()]) {
      const page = await api.call('GET', `/sandbox/checkout/${reference}`);
      expect([page.status, page.headers.get('content-type')]).to.deep.equal([404, 'text/html; charset=utf-8']);
      expect((await press(`/sandbox/checkout/${reference}`, { action: 'pay' })).status).to.equal(404);
    }
    expect((await api.call('GET', '/sandbox/checkout/1')).status).to.equal(404);
    expect(await settle(trackingId)).to.equal('OPEN');
  });

  it('rejects forms of other sites and unknown actions', async () => {
    const { path, trackingId } = await checkout();
    for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }])
      expect((await press(path, { action: 'pay' }, headers)).status).to.equal(403);
    const strange: Record<string, string>[] = [{}, { action: 'steal' }, { action: 'pay', behaviour: 'FREE' }];
    for (const form of strange) expect((await press(path, form)).status).to.equal(400);
    expect((await press(path, { action: 'pay' }, { 'sec-fetch-site': 'same-origin' })).status).to.equal(303);
    expect(await settle(trackingId)).to.equal('FULFILLED');
  });
});

describe('the sandbox checkout page with another provider', () => {
  const { api } = serviceFixture({
    PAYMENTS: '',
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_of_the_test',
  });

  it('does not exist', async () => {
    const path = `/sandbox/checkout/${randomUUID()}`;
    expect((await api.call('GET', path)).status).to.equal(404);
    const response = await api.call('POST', path, { headers: { 'content-type': 'text/plain' }, body: 'action=pay' });
    expect([response.status, response.body?.exception]).to.deep.equal([404, 'NotFoundException']);
    expect((await api.call('POST', '/webhooks/sandbox', { body: '{}' })).status).to.equal(404);
    expect((await api.call('GET', '/readyz')).body.payments).to.equal('stripe');
  });
});

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

describe('starting payments', () => {
  const { ctx, api } = serviceFixture({}, { limits: [[paymentsPerHour, 3]] });

  it('is limited per address and hour, for all users together', async () => {
    const seller = await registerSeller(api);
    const { boxId } = await seedBoxItem(ctx, seller.userId);
    const body = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' };
    const { vodId } = bodyOf(201, await api.call('POST', `/api/box/${boxId}/vod`, { token: seller.token, body }));
    const token = await publicToken(api);
    const pay = () => api.call('POST', `/api/public/vod/${vodId}/pay`, { token, body: back });
    const responses = await Promise.all([1, 2, 3, 4, 5].map(pay));
    expect(responses.map(({ status }) => status)).to.have.members([200, 200, 200, 429, 429]);
    expect(Number(responses.find(({ status }) => status === 429)?.headers.get('retry-after'))).to.be.within(1, 3600);
    const viewer = (await registerUser(api)).token;
    for (const path of ['/api/license/Entry/subscribe', `/api/vod/${vodId}/pay`])
      expect((await api.call('POST', path, { token: viewer, body: back })).status, path).to.equal(429);
    ctx.clock.advance(3_600_001);
    expect((await pay()).status).to.equal(200);
  });
});
