import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { freeTerms, openShop } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

describe('DELETE /api/vod/{vodId}', () => {
  const shop = useFixture(openShop);

  it('204 once, then 404; the box item stays', async () => {
    const { vodId, boxId } = await shop.published(freeTerms);
    expect((await shop.remove(vodId)).status).to.equal(204);
    expect((await shop.remove(vodId)).status).to.equal(404);
    expect((await shop.read(vodId)).status).to.equal(404);
    const { body } = await shop.api.call('GET', `/api/box/${boxId}`, { token: shop.publisher.token });
    expect(body.vodCount).to.equal(0);
  });

  it('404 for an item of another user', async () => {
    const { vodId } = await shop.published(freeTerms);
    expect((await shop.remove(vodId, await registerUser(shop.api))).status).to.equal(404);
    expect((await shop.readPublic(vodId)).status).to.equal(200);
  });
});
