import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { removeUnusedThumbnails } from '../../../shared/content/thumbnailRemoval.service.js';
import { thumbnailRegistry } from '../../../shared/thumbnails.js';
import { seedBoxItem } from '../../support/contents.js';
import { registerSeller } from '../../support/sellers.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { aBundle, newBundle, bundlesFixture } from './bundles.js';
import { changeRow, makeThumbnail, storedRows } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';

describe('DELETE /api/contentbundle/{bundleId}', () => {
  const fixture = bundlesFixture({});
  const { ctx, api, publisher, viewer } = fixture;

  const read = (bundleId: string) => api.call('GET', `/api/contentbundle/${bundleId}`, { token: publisher.token });
  const remove = (bundleId: string, token = publisher.token) =>
    api.call('DELETE', `/api/contentbundle/${bundleId}`, { token });

  it('204 once; then 404 for every operation on the bundle', async () => {
    const bundleId = await newBundle(api, publisher, {
      thumbnailId: await makeThumbnail(ctx, publisher.userId),
    });
    const { boxId } = await seedBoxItem(ctx, publisher.userId);
    const deletion = await remove(bundleId);
    expect([deletion.status, deletion.text]).to.deep.equal([204, '']);
    const call = (method: string, path: string, body: object) =>
      api.call(method, path, { token: publisher.token, ...(method === 'GET' ? {} : { body }) });
    const later = await Promise.all([
      remove(bundleId),
      read(bundleId),
      call('GET', `/api/public/contentbundle/${bundleId}`, {}),
      call('POST', `/api/contentbundle/${bundleId}`, aBundle),
      call('GET', `/api/contentbundle/${bundleId}/items`, {}),
      call('GET', `/api/public/contentbundle/${bundleId}/items`, {}),
      call('POST', `/api/contentbundle/${bundleId}/items/insert`, {
        index: 0,
        sourceItems: [{ boxId: randomUUID() }],
      }),
      call('POST', `/api/box/${boxId}/vod`, { licenseType: 'CONTENT_BUNDLE', bundleId }),
    ]);
    expect(later.map(({ status }) => status)).to.deep.equal(later.map(() => 404));
  });

  it('404 for a bundle of another user, an unknown one and a malformed id', async () => {
    const bundleId = await newBundle(api, publisher);
    const responses = [await remove(bundleId, viewer.token), await remove(randomUUID()), await remove('1')];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404]);
    expect((await read(bundleId)).status).to.equal(200);
  });

  it('409 while the bundle has items', async () => {
    const bundleId = await newBundle(api, publisher);
    const { boxId } = await seedBoxItem(ctx, publisher.userId);
    const edit = (action: string, body: object) =>
      api.call('POST', `/api/contentbundle/${bundleId}/items/${action}`, {
        token: publisher.token,
        body,
      });
    await edit('insert', { index: 0, sourceItems: [{ boxId }] });
    const refused = await remove(bundleId);
    expect(refused.status).to.equal(409);
    expect(refused.body.exception).to.contain('DataIntegrityViolationException');
    expect(refused.body.message).to.match(/items/);
    await edit('remove', { index: 0, count: 1 });
    expect((await remove(bundleId)).status).to.equal(204);
  });

  it('409, or 404 for the insertion, when an item is inserted at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const bundleId = await newBundle(api, publisher);
      const { boxId } = await seedBoxItem(ctx, publisher.userId);
      const [insertion, deletion] = await Promise.all([
        api.call('POST', `/api/contentbundle/${bundleId}/items/insert`, {
          token: publisher.token,
          body: { index: 0, sourceItems: [{ boxId }] },
        }),
        remove(bundleId),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).to.deep.include([insertion.status, deletion.status]);
    }
  });

  it('the thumbnail of a bundle stays when its content is removed', async () => {
    const owner = await registerSeller(api);
    const [shown, other] = [await makeThumbnail(ctx, owner.userId), await makeThumbnail(ctx, owner.userId)];
    await newBundle(api, owner, { thumbnailId: shown });
    const contentIds: string[] = [];
    const workers = await startWorkers(ctx, { queues: ['transcoding-status'] });
    try {
      for (const thumbnailId of [shown, other]) {
        const { boxId, contentId } = await seedBoxItem(ctx, owner.userId);
        contentIds.push(contentId);
        await changeRow(ctx, Content, contentId, { thumbnailId });
        expect((await api.call('DELETE', `/api/box/${boxId}`, { token: owner.token })).status).to.equal(204);
      }
      await eventually(async () => expect(await storedRows(ctx, Content, { id: contentIds })).to.be.empty);
    } finally {
      await workers.close();
    }
    expect(await ctx.db.rows('SELECT id FROM thumbnails WHERE owner_id = $id', { id: owner.userId })).to.deep.equal([
      { id: shown },
    ]);
  });

  // The last test, because it moves the clock.
  it('the sweep removes the thumbnail of a deleted bundle, not of another one', async () => {
    const owner = await registerSeller(api);
    const [kept, dropped] = [await makeThumbnail(ctx, owner.userId), await makeThumbnail(ctx, owner.userId)];
    await newBundle(api, owner, { thumbnailId: kept });
    const deleted = await newBundle(api, owner, { thumbnailId: dropped });
    expect((await remove(deleted, owner.token)).status).to.equal(204);
    ctx.clock.advance(25 * 60 * 60_000);
    await removeUnusedThumbnails(ctx, thumbnailRegistry);
    const left = await ctx.db.rows<{ id: string }>('SELECT id FROM thumbnails WHERE owner_id = $ownerId', {
      ownerId: owner.userId,
    });
    expect(left).to.deep.equal([{ id: kept }]);
  });
});
