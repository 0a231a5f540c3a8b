import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { seedBoxItem, type SeedOptions } from '../../support/contents.js';
import { registerSeller } from '../../support/sellers.js';
import { newBundle, bundlesFixture } from './bundles.js';
import { editsOf, filledBundle, newBox, orderIn, type FilledBundle } from './bundleItems.js';
import { changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';

const [a, b, d] = [0, 1, 3] as const;

describe('GET /api/contentbundle/{bundleId}/items and /api/public/contentbundle/{bundleId}/items', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher } = fixture;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  beforeEach(async () => {
    ({ bundleId, bundle, boxIds } = await filledBundle(fixture));
  });

  const box = (title: string, options: SeedOptions = {}, ownerId = publisher.userId) =>
    newBox(fixture, title, options, ownerId);

  const read = (path: string, token = publisher.token) => api.call('GET', path, { token });

  it('200 with all members of an item, for the owner and for everybody', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, publisher.userId, {
      title: 'Snow',
      description: 'White',
      tags: ['winter'],
      durationMs: 187_000,
    });
    const { body } = await bundle.insert(0, [boxId]);
    const { vodId } = body.items[0];
    expect(body.items[0]).to.deep.equal({
      itemCode: vodId,
      vodId,
      boxId,
      contentId: `urn:video:content:${contentId}`,
      title: 'Snow',
      description: 'White',
      resourceId: contentId,
      duration: '3:07',
      tags: ['winter'],
    });
    expect(body.items[1]).to.not.have.any.keys('description', 'tags', 'thumbnailId');
    expect(body.bundle).to.deep.equal((await read(`/api/contentbundle/${bundleId}`)).body);
    expect(body.bundle.itemCount).to.equal(4);
    expect((await bundle.items()).body).to.deep.equal(body);
    const everybody = (await bundle.publicItems()).body;
    expect(everybody.items).to.deep.equal(body.items);
    expect(everybody.bundle).to.deep.equal((await read(`/api/public/contentbundle/${bundleId}`)).body);
  });

  it('200 with an empty list for a new bundle', async () => {
    const empty = editsOf(fixture, await newBundle(api, publisher));
    expect((await empty.items()).body.items).to.deep.equal([]);
    expect((await empty.publicItems()).body.items).to.deep.equal([]);
  });

  it('404 for another user, also for insert, move and remove', async () => {
    const other = await registerSeller(api);
    const responses = [
      await bundle.items(other.token),
      await bundle.edit('insert', { index: 0, sourceItems: [{ boxId: boxIds[d] }] }, other.token),
      await bundle.edit('move', { fromIndex: 0, toIndex: 2 }, other.token),
      await bundle.edit('remove', { index: 0, count: 1 }, other.token),
    ];
    expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
  });

  it('404 for an unknown bundle and a malformed id, also for insert, move and remove', async () => {
    for (const id of [randomUUID(), '1']) {
      const none = editsOf(fixture, id);
      const responses = [
        await none.items(),
        await none.publicItems(),
        await none.insert(0, [boxIds[d]]),
        await none.move(0, 0),
        await none.remove(0, 1),
      ];
      expect(responses.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404]);
    }
  });

  it('200 in public without items that have ended or are not READY; the owner sees them', async () => {
    const hide: Readonly<Record<number, () => Promise<unknown>>> = {
      [a]: () => change('UPDATE box_items SET expires_at = $now WHERE id = $id', boxIds[a]),
      [b]: () =>
        change(
          `UPDATE contents SET state = 'FAILED' WHERE id = (SELECT content_id FROM box_items WHERE id = $id)`,
          boxIds[b],
        ),
    };
    const change = (sql: string, id: string) =>
      ctx.db.change(sql, { id, ...(sql.includes('$now') ? { now: ctx.clock.now() } : {}) });
    const left = boxIds.slice(0, 3);
    for (const one of [a, b]) {
      await hide[one]?.();
      left.shift();
      const response = await bundle.publicItems();
      expect(orderIn(response)).to.deep.equal(left);
      expect(response.body.bundle.itemCount).to.equal(left.length);
      expect((await read(`/api/public/contentbundle/${bundleId}`)).body.itemCount).to.equal(left.length);
    }
    expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
  });

  it('200 for a publisher whose `vodPublic` is false, 404 for one who is disabled', async () => {
    const other = await registerSeller(api);
    const theirs = editsOf(fixture, await newBundle(api, other), other);
    await theirs.insert(0, [await box('Z', {}, other.userId)]);
    await changeRow(ctx, User, other.userId, { vodPublic: false });
    expect((await theirs.publicItems()).body.items).to.have.lengthOf(1);
    await api.call('POST', '/api/user/me/disable', { token: other.token });
    expect((await theirs.publicItems()).status).to.equal(404);
  });
});
