import { expect } from 'chai';
import { paymentCheckSeconds } from '../../shared/payment/payment.lifecycle.js';
import { countOf, openCrowded } from '../support/crowd.js';
import { seedBoxItem } from '../support/contents.js';
import { back, payInSandbox } from '../support/payments.js';
import { makeSeller } from '../support/sellers.js';
import { bodyOf } from '../support/responses.js';
import { createLoggedInUser, type TestUser } from '../support/users.js';
import { findPayment } from '../../shared/payment/payment.queries.js';
import { useFixture } from '../support/fixtures.js';

const intervalSeconds = paymentCheckSeconds.usual;

describe('A crowd that plays with an open payment', function () {
  this.timeout(60_000);
  const crowded = useFixture(openCrowded);
  let viewer: TestUser;
  let vodId: string;
  let trackingId: string;

  before(async () => {
    const { ctx, api, owner } = crowded;
    await makeSeller(ctx, owner.userId);
    viewer = await createLoggedInUser(ctx);
    const { boxId } = await seedBoxItem(ctx, owner.userId, { title: 'Paid video' });
    const conditions = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' };
    const published = await api.call('POST', `/api/box/${boxId}/vod`, { token: owner.token, body: conditions });
    ({ vodId } = bodyOf(201, published));
    const started = await api.call('POST', `/api/vod/${vodId}/pay`, { token: viewer.token, body: back });
    ({ trackingId } = bodyOf(200, started));
  });

  const play = () => crowded.api.call('POST', `/api/vod/${vodId}/play`, { token: viewer.token, body: { trackingId } });
  const checks = async () => (await findPayment(crowded.ctx, trackingId))?.checks;

  it('120 at once, twice each: the provider is queried once in each interval', async () => {
    const began = performance.now();
    const { statuses } = await crowded.withCrowd(async () => {
      let status = 0;
      for (let plays = 0; plays < 2; plays += 1) {
        const response = await fetch(`${crowded.api.url}/api/vod/${vodId}/play`, {
          method: 'POST',
          headers: { authorization: `Bearer ${viewer.token}` },
          body: JSON.stringify({ trackingId }),
        });
        await response.text();
        ({ status } = response);
      }
      return status;
    }, 120);
    const intervals = Math.ceil((performance.now() - began) / 1000 / intervalSeconds);
    expect(countOf(statuses, 200)).to.equal(120);
    expect(await checks()).to.be.within(1, intervals + 1);
  });

  it('plays at once after the payment', async () => {
    await payInSandbox(crowded.ctx, trackingId);
    expect(bodyOf(200, await play()).result).to.equal('PLAY');
  });
});
