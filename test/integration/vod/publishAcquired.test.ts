import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { daysPass, inBundle, openShop } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/box/{boxId}/vod and /api/vod/{vodId} of an acquired box item', () => {
  const shop = useFixture(() => openShop(daysPass));
  let bundleId: string;

  before(async () => {
    bundleId = await shop.newBundle();
  });

  const free = { licenseType: 'FREE' };
  const shared = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
  const perView = { licenseType: 'PAY_PER_VIEW', pricePerView: '10,00' };

  /** Whether each license permits FREE, CREATIVE_COMMONS BY_SA, PAY_PER_VIEW, CONTENT_BUNDLE. All: `test/unit/marketplace`. */
  const permissions: readonly [string, object, string][] = [
    ['CREATIVE_COMMONS BY_NC', { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC' }, 'yes no no no'],
    ['REVENUE_SHARING', { licenseType: 'REVENUE_SHARING', earningPercentage: 50 }, 'no no yes no'],
  ];
  for (const [name, license, permitted] of permissions) {
    it(`returns 400 for conditions that ${name} does not permit, otherwise 201 and 200`, async () => {
      const asked = [free, shared, perView, inBundle(bundleId)];
      const supplied = permitted.split(' ');
      const standing = asked[supplied.indexOf('yes')] ?? free;
      for (const [index, conditions] of asked.entries()) {
        const { boxId } = await shop.acquired(license);
        const published = await shop.publish(boxId, conditions);
        const { vodId } = bodyOf(201, await shop.publish((await shop.acquired(license)).boxId, standing));
        const updated = await shop.update(vodId, conditions);
        if (supplied[index] === 'yes') {
          expect([published.status, updated.status], published.text + updated.text).to.deep.equal([201, 200]);
          continue;
        }
        for (const response of [published, updated]) {
          expect(rejectedFields(response).join()).to.match(/^licenseType /);
          expect(response.body.errors[0].defaultMessage).to.match(/^[A-Z].*\.$/);
          expect(response.body.errors[0].rejectedValue).to.equal(conditions.licenseType);
        }
      }
    });
  }

  it('returns 400 for a price below the licensor’s amount and the platform’s share', async () => {
    const { boxId } = await shop.acquired({ licenseType: 'PAY_PER_VIEW', pricePerView: '1,40' });
    const at = (pricePerView: string) => ({ licenseType: 'PAY_PER_VIEW', pricePerView });
    for (const pricePerView of ['0,01', '1,40', '1,99']) {
      const refused = await shop.publish(boxId, at(pricePerView));
      expect(rejectedFields(refused)).to.deep.equal(['pricePerView priceBelowLicense']);
      expect(refused.body.errors[0].rejectedValue).to.equal(pricePerView);
      expect(refused.body.errors[0].defaultMessage).to.include('1,40').and.include('30,00');
    }
    const { vodId } = bodyOf(201, await shop.publish(boxId, at('2,00')));
    expect(rejectedFields(await shop.update(vodId, at('1,99')))).to.deep.equal(['pricePerView priceBelowLicense']);
  });

  it('returns 404 in public after the license’s end, and MESSAGE for plays', async () => {
    const { boxId } = await shop.acquired({ licenseType: 'FREE', duration: 1, durationUnit: 'DAYS' });
    const { vodId } = bodyOf(201, await shop.publish(boxId, free));
    const paid = bodyOf(201, await shop.publish(boxId, perView)).vodId;
    const read = (id: string) => shop.api.call('GET', `/api/public/vod/${id}`, { token: shop.anybody });
    expect((await read(vodId)).status).to.equal(200);
    shop.ctx.clock.advance(86_400_000);
    expect((await read(vodId)).status).to.equal(404);
    const own = await shop.api.call('GET', `/api/vod/${vodId}`, { token: shop.publisher.token });
    expect(bodyOf(200, own)).to.have.property('expirationDate');
    for (const by of [null, shop.viewer, shop.publisher]) {
      for (const id of [vodId, paid]) {
        const response = bodyOf(200, await shop.play(id, by));
        expect(response).to.include({ result: 'MESSAGE', message: 'This content is no longer available.' });
        expect(response.resource.vodId).to.equal(id);
      }
    }
    expect((await shop.pay(paid, shop.viewer)).status).to.equal(404);
    expect((await shop.pay(paid, null)).status).to.equal(404);
  });
});
