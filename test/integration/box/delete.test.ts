import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { upload } from '../../support/uploads.js';
import { seedBoxItem } from '../../support/contents.js';
import { boxFixture } from './openBox.js';

describe('DELETE /api/box/:boxId', () => {
  const { ctx, api, user, other, call } = boxFixture();

  it('204: deletes the item, its content and its bytes', async () => {
    const { body } = await upload(api, user);
    const before = await usageOf(ctx, user.userId);
    expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(204);
    expect((await call('GET', `/api/box/${body.boxId}`)).status).to.equal(404);
    expect((await call('DELETE', `/api/box/${body.boxId}`)).status).to.equal(404);
    const after = await usageOf(ctx, user.userId);
    expect(before.originalBytes - after.originalBytes).to.equal(50_000);
    expect(before.uploads - after.uploads).to.equal(1);
    const rows = await ctx.db.rows(`SELECT state FROM contents WHERE id = $id`, { id: body.resourceId });
    expect(rows).to.deep.equal([{ state: 'DELETED' }]);
  });

  it('204: keeps a content that another user also holds', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await ctx.db.change(
      `INSERT INTO box_items (id, owner_id, content_id, source, title, created_at, updated_at)
       VALUES (gen_random_uuid(), $ownerId, $contentId, 'MARKET_PLACE', 'Acquired', now(), now())`,
      { ownerId: other.userId, contentId },
    );
    expect((await call('DELETE', `/api/box/${boxId}`)).status).to.equal(204);
    expect(await ctx.db.rows(`SELECT state FROM contents WHERE id = $contentId`, { contentId })).to.deep.equal([
      { state: 'READY' },
    ]);
  });

  it('returns 409 while the item is published', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId);
    const { body: vod } = await call('POST', `/api/box/${boxId}/vod`, { licenseType: 'FREE' });
    const refused = await call('DELETE', `/api/box/${boxId}`);
    expect(refused.status).to.equal(409);
    expect(refused.body.exception).to.contain('DataIntegrityViolationException');
    expect((await call('GET', `/api/box/${boxId}`)).body.vodCount).to.equal(1);
    await call('DELETE', `/api/vod/${vod.vodId}`);
    expect((await call('DELETE', `/api/box/${boxId}`)).status).to.equal(204);
  });
});
