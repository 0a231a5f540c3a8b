import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { freeTerms, openShop } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

/** Its 400 are tested with those of publishing, and bundles in publishInBundle.test.ts. */
describe('POST /api/vod/{vodId}', () => {
  const shop = useFixture(openShop);

  describe('200', () => {
    it('replaces the conditions; `public` is unchanged if it is left out', async () => {
      const terms = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY', public: false };
      const { vodId, body } = await shop.published(terms);
      const { ccType: _ccType, ...rest } = body;
      expect((await shop.update(vodId, freeTerms)).body).to.deep.equal({ ...rest, licenseType: 'FREE' });
      expect((await shop.update(vodId, { ...freeTerms, public: true })).body.public).to.equal(true);
      expect((await shop.readPublic(vodId)).status).to.equal(200);
    });

    it('changes only the members that are sent, as far as the license type uses them', async () => {
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

    it('accepts a whole item as it was read', async () => {
      const { vodId, body } = await shop.published({ licenseType: 'CREATIVE_COMMONS', ccType: 'BY_ND' });
      expect(bodyOf(200, await shop.update(vodId, body))).to.deep.equal(body);
    });
  });

  describe('404', () => {
    it('for an item of another user', async () => {
      const { vodId } = await shop.published(freeTerms);
      const otherUser = await registerUser(shop.api);
      expect((await shop.update(vodId, { ...freeTerms, public: false }, otherUser)).status).to.equal(404);
      expect((await shop.readPublic(vodId)).status).to.equal(200);
    });
  });
});
