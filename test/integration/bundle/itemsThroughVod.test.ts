import { expect } from 'chai';
import type { SeedOptions } from '../../support/contents.js';
import { bundlesFixture } from './bundles.js';
import { filledBundle, newBox, type FilledBundle } from './bundleItems.js';

const [a, c, d] = [0, 2, 3] as const;

describe('Items of a bundle, through /api/vod and /api/box', () => {
  const fixture = bundlesFixture();
  const { api, publisher } = fixture;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  beforeEach(async () => {
    ({ bundleId, bundle, boxIds } = await filledBundle(fixture));
  });

  const box = (title: string, options: SeedOptions = {}, ownerId = publisher.userId) =>
    newBox(fixture, title, options, ownerId);

  it('a published item is the last one; a deleted item leaves no gap', async () => {
    const published = await api.call('POST', `/api/box/${boxIds[d]}/vod`, {
      token: publisher.token,
      body: { licenseType: 'CONTENT_BUNDLE', bundleId },
    });
    expect(published.status, published.text).to.equal(201);
    const { items } = (await bundle.items()).body;
    expect(items[3].vodId).to.equal(published.body.vodId);
    const gone = await api.call('DELETE', `/api/vod/${items[1].vodId}`, { token: publisher.token });
    expect(gone.status).to.equal(204);
    expect(await bundle.rows()).to.deep.equal(
      [boxIds[a], boxIds[c], boxIds[d]].map((boxId, place) => ({ place, boxId })),
    );
  });

  it('409 for the deletion of a box item that is in a bundle', async () => {
    const deletion = () => api.call('DELETE', `/api/box/${boxIds[a]}`, { token: publisher.token });
    expect((await deletion()).status).to.equal(409);
    await bundle.remove(0, 1);
    expect((await deletion()).status).to.equal(204);
  });

  it('404 or 409 for one of an insertion and a deletion of the box item at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const boxId = await box('Race');
      const [insertion, deletion] = await Promise.all([
        bundle.insert(0, [boxId]),
        api.call('DELETE', `/api/box/${boxId}`, { token: publisher.token }),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).to.deep.include([insertion.status, deletion.status]);
    }
  });
});
