import { expect } from 'chai';
import { User } from '../../../shared/user/user.model.js';
import { registerUser } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { changeRow } from '../../support/rows.js';
import { freeTerms, openShop } from './shop.js';

/** Invalid conditions: tests of publishing. Bundles: publishInBundle.test.ts. */
describe('/api/vod/{vodId} and /api/public/vod/{vodId}', () => {
  const shop = useFixture(openShop);

  it('GET: formats dates in the caller’s time zone', async () => {
    const { vodId } = await shop.published(freeTerms, { expiresAt: new Date('2040-03-31T22:30:00Z') });
    for (const [zone, date] of [
      ...['0', 'Europe/Atlantis', ''].map((name) => [name, '31/03/2040'] as const),
      ...['7200000', 'Europe/Rome'].map((name) => [name, '01/04/2040'] as const),
    ]) {
      const headers = { 'x-service-timezone': zone };
      const read = await shop.api.call('GET', `/api/vod/${vodId}`, { token: shop.publisher.token, headers });
      expect(read.body.expirationDate, zone).to.equal(date);
    }
  });

  it('GET: returns 200 in public if the publisher’s `vodPublic` is false, and 404 after the publisher is disabled', async () => {
    const publisher = await registerUser(shop.api);
    const { vodId } = await shop.published(freeTerms, {}, publisher);
    await changeRow(shop.ctx, User, publisher.userId, { vodPublic: false });
    expect((await shop.readPublic(vodId)).status).to.equal(200);
    const disabled = await shop.api.call('POST', '/api/user/me/disable', { token: publisher.token });
    expect(disabled.status).to.equal(204);
    expect((await shop.readPublic(vodId)).status).to.equal(404);
    expect((await shop.play(vodId, null)).status).to.equal(404);
  });

  it('GET: returns 404 in public for an expired item, and 200 to its owner', async () => {
    const { vodId } = await shop.published(freeTerms, { expiresAt: new Date(shop.ctx.clock.now().getTime() + 1000) });
    shop.ctx.clock.advance(1000);
    expect((await shop.readPublic(vodId)).status).to.equal(404);
    expect(bodyOf(200, await shop.read(vodId))).to.have.property('expirationDate');
  });

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

    it('accepts a complete item as read', async () => {
      const { vodId, body } = await shop.published({ licenseType: 'CREATIVE_COMMONS', ccType: 'BY_ND' });
      expect(bodyOf(200, await shop.update(vodId, body))).to.deep.equal(body);
    });
  });
});
