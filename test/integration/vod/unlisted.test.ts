import { expect } from 'chai';
import { seedStream } from '../../support/contents.js';
import { drainSearch } from '../../support/drainSearch.js';
import { bodyOf } from '../../support/responses.js';
import { freeTerms, inBundle, openShop, perView } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

/** `docs/contract.md#choices-vod`: `public: false` is unlisted, not hidden. */
describe('an item whose `public` is false', () => {
  const shop = useFixture(openShop);
  const unlisted = async (conditions: object) => {
    const item = await shop.published({ ...conditions, public: false });
    await seedStream(shop.ctx, item.folder);
    return item;
  };

  it('is read, played and previewed by everybody who has its id', async () => {
    const { vodId } = await unlisted(freeTerms);
    for (const [name, by] of [...shop.payers, ['its owner', shop.publisher]] as const) {
      const token = by?.token ?? shop.anybody;
      const call = (method: string, action = '') =>
        shop.api.call(method, `/api/public/vod/${vodId}${action}`, { token });
      expect((await call('GET')).status, name).to.equal(200);
      expect(await shop.resultOf(vodId, by), name).to.equal('PLAY');
      for (const action of ['/preview', '/play'])
        expect(bodyOf(200, await call('POST', action)).result, name).to.equal('PLAY');
    }
  });

  it('is paid and played, with a user and with a public token', async () => {
    const { vodId } = await unlisted(perView);
    for (const [name, by] of shop.payers) {
      expect(await shop.resultOf(vodId, by), name).to.equal('PAYMENT_REQUIRED');
      expect(await shop.resultOf(vodId, by, await shop.paid(vodId, by)), name).to.equal('PLAY');
    }
  });

  it('is played by the embed page', async () => {
    const { vodId } = await unlisted(freeTerms);
    const page = await shop.api.call('GET', `/embed/?vod=${vodId}`);
    expect([page.status, /data-source="[^"]+"/.test(page.text)]).to.deep.equal([200, true]);
    expect((await shop.api.call('GET', `/embed/playback?vod=${vodId}`)).body.playback.result).to.equal('PLAY');
  });

  it('is listed and counted in its bundle', async () => {
    const bundleId = await shop.newBundle();
    const { vodId } = await unlisted(inBundle(bundleId));
    const path = `/api/public/contentbundle/${bundleId}`;
    const { bundle, items } = bodyOf(200, await shop.api.call('GET', `${path}/items`, { token: shop.anybody }));
    expect([bundle.itemCount, items[0].vodId]).to.deep.equal([1, vodId]);
    expect(bodyOf(200, await shop.api.call('GET', path, { token: shop.anybody })).itemCount).to.equal(1);
    expect(await shop.resultOf(vodId, shop.viewer)).to.equal('SUBSCRIPTION_REQUIRED');
  });

  it('is not found by the public search, like items of a publisher whose `vodPublic` is false', async () => {
    const publisher = await shop.seller();
    const { vodId } = await shop.published({ ...freeTerms, public: false }, {}, publisher);
    const found = async () => {
      await drainSearch(shop.ctx);
      const body = { userCode: publisher.userCode };
      const response = await shop.api.call('POST', '/api/public/search/vod/contents', { token: shop.anybody, body });
      return bodyOf(200, response).items.map((item: { vodId: string }) => item.vodId);
    };
    expect(await found()).to.deep.equal([]);
    bodyOf(200, await shop.update(vodId, { ...freeTerms, public: true }, publisher));
    expect(await found()).to.deep.equal([vodId]);
    const me = bodyOf(200, await shop.api.call('GET', '/api/user/me', { token: publisher.token }));
    const body = { ...me, features: { vodPublic: false } };
    bodyOf(200, await shop.api.call('POST', '/api/user/me', { token: publisher.token, body }));
    expect(await found()).to.deep.equal([]);
    expect((await shop.readPublic(vodId)).status).to.equal(200);
  });
});
