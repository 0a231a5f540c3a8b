import { expect } from 'chai';
import { paymentsPerHour } from '../../../shared/payment/paymentAttempts.js';
import { publicToken, registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { back } from '../../support/payments.js';
import { bodyOf } from '../../support/responses.js';
import { registerSeller } from '../../support/sellers.js';
import { serviceFixture } from '../../support/service.js';

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
