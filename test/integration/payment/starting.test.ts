import { expect } from 'chai';
import { ProviderRejection } from '../../../shared/payment/providers/providerCalls.js';
import { publicToken, registerUser, startApi } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { openTestContext } from '../../support/context.js';
import { makeSeller } from '../../support/sellers.js';
import { openPaymentHarness } from '../../support/paymentHarness.js';
import { payInSandbox } from '../../support/payments.js';
import { rejection } from '../../support/rejection.js';
import { paymentsPerHour } from '../../../shared/payment/paymentAttempts.js';

const back = { returnUrl: 'https://shop.example.org/paid', cancelUrl: 'https://shop.example.org/left' };

describe('Starting payments', () => {
  it('is limited to a number per address and hour, for all users', async () => {
    const ctx = await openTestContext({}, { limits: [[paymentsPerHour, 3]] });
    const api = await startApi(ctx);
    try {
      const seller = await registerUser(api);
      await makeSeller(ctx, seller.userId);
      const { boxId } = await seedBoxItem(ctx, seller.userId);
      const published = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' };
      const { vodId } = (await api.call('POST', `/api/box/${boxId}/vod`, { token: seller.token, body: published }))
        .body;
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
    } finally {
      await api.close();
      await ctx.close();
    }
  });

  it('responds 409 when the provider rejects the order', async () => {
    const harness = await openPaymentHarness(
      {},
      {
        wrap: (sandbox) => ({
          ...sandbox,
          create: () => Promise.reject(new ProviderRejection(400, 'amount_too_small', 'too little')),
        }),
      },
    );
    try {
      const refused = await rejection(harness.start());
      expect(refused).to.include({ name: 'ConflictError', key: 'payment.refused' });
    } finally {
      await harness.close();
    }
  });

  it('retries a grant at once after a deadlock', async () => {
    const harness = await openPaymentHarness();
    try {
      const { trackingId } = await harness.start();
      await payInSandbox(harness.ctx, trackingId);
      let attempts = 0;
      harness.beforeGrant = async () => {
        attempts += 1;
        if (attempts === 1) throw Object.assign(new Error('deadlock detected'), { parent: { code: '40P01' } });
      };
      expect(await harness.settle(trackingId)).to.equal('FULFILLED');
      expect([attempts, await harness.grants(trackingId)]).to.deep.equal([2, 1]);
    } finally {
      await harness.close();
    }
  });
});
