import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { BoxItem } from '../../../shared/box/box.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { vodIndex } from '../../../shared/vod/vod.index.js';
import { seedBoxItem, type SeedOptions, drainSearch, changeRow } from '../../support/rows.js';
import { bodyOf, rejectedFields } from '../../support/api.js';
import { whileLocked } from '../../support/statements.js';
import { bundlesFixture, editsOf, filledBundle, newBox, newBundle, orderIn, type FilledBundle } from './bundles.js';

describe('/api/contentbundle/{bundleId}/items', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher, viewer } = fixture;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  /** Box items of the publisher; the first three are in the bundle. */
  let [a, b, c, d] = ['', '', '', ''];

  beforeEach(async () => {
    const filled = await filledBundle(fixture);
    ({ bundleId, bundle } = filled);
    [a, b, c, d] = filled.boxIds;
  });

  const box = (title: string, options: SeedOptions = {}, ownerId = publisher.userId) =>
    newBox(fixture, title, options, ownerId);
  const read = (path: string) => api.call('GET', path, { token: publisher.token });
  const expectUnchanged = async () => expect(orderIn(await bundle.items())).to.deep.equal([a, b, c]);

  it('returns 200 with all members of an item, to the owner and to everybody', async () => {
    const texts = { title: 'Snow', description: 'White', tags: ['winter'] };
    const { boxId, contentId } = await seedBoxItem(ctx, publisher.userId, { ...texts, durationMs: 187_000 });
    const { body } = await bundle.insert(0, [boxId]);
    const { vodId } = body.items[0];
    expect(body.items[0]).to.deep.equal({
      ...{ itemCode: vodId, vodId, boxId, contentId: `urn:video:content:${contentId}`, resourceId: contentId },
      ...{ ...texts, duration: '3:07' },
    });
    expect(body.items[1]).to.not.have.any.keys('description', 'tags', 'thumbnailId');
    expect(body.bundle).to.deep.equal((await read(`/api/contentbundle/${bundleId}`)).body);
    expect(body.bundle.itemCount).to.equal(4);
    expect((await bundle.items()).body).to.deep.equal(body);
    const everybody = (await bundle.publicItems()).body;
    expect(everybody.items).to.deep.equal(body.items);
    expect(everybody.bundle).to.deep.equal((await read(`/api/public/contentbundle/${bundleId}`)).body);
    const empty = editsOf(fixture, await newBundle(api, publisher));
    for (const response of [await empty.items(), await empty.publicItems()])
      expect(response.body.items).to.deep.equal([]);
  });

  it('returns 200 to the public without expired items and items that are not READY, which the owner sees', async () => {
    const [first, second] = (await bundle.items()).body.items;
    for (const [change, left] of [
      [() => changeRow(ctx, BoxItem, a, { expiresAt: ctx.clock.now() }), [b, c]],
      [() => changeRow(ctx, Content, second.resourceId, { state: 'FAILED' }), [c]],
    ] as const) {
      await change();
      const response = await bundle.publicItems();
      expect(orderIn(response)).to.deep.equal(left);
      expect(response.body.bundle.itemCount).to.equal(left.length);
      expect((await read(`/api/public/contentbundle/${bundleId}`)).body.itemCount).to.equal(left.length);
    }
    expect((await bundle.items()).body.items[0]).to.deep.equal(first);
    await expectUnchanged();
  });

  describe('insert', () => {
    it('returns 200 with the items inserted before the index and published in the bundle', async () => {
      const { body } = await bundle.insert(1, [d.toUpperCase()]);
      expect(body.items.map(({ boxId }: { boxId: string }) => boxId)).to.deep.equal([a, d, b, c]);
      const vod = (await read(`/api/vod/${body.items[1].vodId}`)).body;
      expect(vod).to.include({ boxId: d, licenseType: 'CONTENT_BUNDLE', public: true });
      expect(vod.bundle.bundleId).to.equal(bundleId);
      expect((await read(`/api/box/${d}`)).body.vodCount).to.equal(1);
    });

    it('returns 200 for complete box items as read, and for an item of another bundle', async () => {
      const item = (await read(`/api/box/${d}`)).body;
      expect(orderIn(await bundle.edit('insert', { index: '3', sourceItems: [item] }))).to.deep.equal([a, b, c, d]);
      const other = editsOf(fixture, await newBundle(api, publisher));
      expect(orderIn(await other.insert(0, [a]))).to.deep.equal([a]);
      expect(orderIn(await bundle.items())).to.include(a);
    });

    it('200: moves an item that is already in the bundle, also an expired one, and keeps its id', async () => {
      await changeRow(ctx, BoxItem, a, { expiresAt: ctx.clock.now() });
      const before = (await bundle.items()).body.items;
      const response = await bundle.insert(3, [a, d]);
      expect(orderIn(response)).to.deep.equal([b, c, a, d]);
      expect(response.body.items[2]).to.deep.equal(before[0]);
      expect(response.body.bundle.itemCount).to.equal(4);
    });

    it('returns 404 that names all box items of other users, all unknown ids and all malformed ids', async () => {
      const bad = [await box('Theirs', {}, viewer.userId), randomUUID(), 'video'];
      const { message } = bodyOf(404, await bundle.insert(0, [d, ...bad]));
      for (const id of bad) expect(message).to.contain(id);
      expect(message).to.not.contain(d);
      const alone = await Promise.all(
        bad.map(async (id) => (await bundle.insert(0, [id])).body.message.replace(id, '')),
      );
      expect(new Set(alone).size).to.equal(1);
      await expectUnchanged();
    });

    it('returns 409 that names all box items that are expired or not READY, with the reason of each failure', async () => {
      const [pending, ended] = [await box('P', { state: 'PENDING' }), await box('E', { expiresAt: ctx.clock.now() })];
      const empty = await box('E', { state: 'FAILED', failureKey: 'content.failure.empty' });
      const damaged = await box('D', { state: 'FAILED', failureKey: 'content.failure.unreadable' });
      const { message } = bodyOf(409, await bundle.insert(0, [pending, ended, empty, d, damaged]));
      const damage = 'The file is damaged or incomplete: it cannot be read.';
      for (const id of [pending, ended]) expect(message).to.contain(id);
      expect(message).to.include(`${empty}: The file is empty. ${damaged}: ${damage}`).and.not.contain(d);
      expect(await bundle.rows()).to.have.lengthOf(3);
      const response = await bundle.insert(9, [damaged]);
      expect(rejectedFields(response)).to.deep.equal(['index outOfRange', 'sourceItems[0].boxId boxItemNotReady']);
      const reason = `The content of this box item could not be processed. ${damage}`;
      expect(response.body.errors[1].defaultMessage).to.equal(reason);
    });

    it('returns 400 with one error per field for errors of several kinds', async () => {
      const [pending, ended] = [await box('P', { state: 'PENDING' }), await box('E', { expiresAt: ctx.clock.now() })];
      const response = await bundle.insert(9, [d, randomUUID(), pending, ended, d]);
      expect(rejectedFields(response)).to.deep.equal([
        'index outOfRange',
        'sourceItems[1].boxId boxItemUnknown',
        'sourceItems[2].boxId boxItemNotReady',
        'sourceItems[3].boxId boxItemExpired',
        'sourceItems[4].boxId boxItemTwice',
      ]);
    });

    it('returns 400 for acquired items whose license does not permit bundles', async () => {
      const acquirerId = publisher.userId;
      const under = async (licenseType: string, ccType: string | null = null) => {
        const boxId = await box(licenseType);
        await ctx.db.change(
          `INSERT INTO acquired_licenses (id, box_item_id, acquirer_id, issuer_id, marketplace_id, offered_box_item_id,
                                          license_type, cc_type, acquired_at)
           VALUES (gen_random_uuid(), $boxId, $acquirerId, $issuerId, gen_random_uuid(), $boxId, $licenseType, $ccType, $now)`,
          { boxId, acquirerId, issuerId: viewer.userId, licenseType, ccType, now: ctx.clock.now() },
        );
        return boxId;
      };
      const good = [await under('SPOT_PRICE'), await under('FREE'), await under('CREATIVE_COMMONS', 'BY_SA')];
      const bad = [await under('REVENUE_SHARING'), await under('PAY_PER_VIEW')];
      bad.push(await under('CREATIVE_COMMONS', 'BY_NC'));
      expect(rejectedFields(await bundle.insert(0, [...good, ...bad]))).to.deep.equal([
        'sourceItems[3].boxId notInBundle',
        'sourceItems[4].boxId notInBundle',
        'sourceItems[5].boxId notForMoney',
      ]);
      expect(orderIn(await bundle.insert(0, good)).slice(0, 3)).to.deep.equal(good);
    });
  });

  it('move: returns 200 with the item before the one at the index', async () => {
    const response = await bundle.move(0, 2);
    expect(orderIn(response)).to.deep.equal([b, a, c]);
    expect((await bundle.items()).body).to.deep.equal(response.body);
  });

  it('remove: returns 200 without the removed items, and unpublishes them', async () => {
    const { items } = (await bundle.items()).body;
    expect(orderIn(await bundle.remove(0, 2))).to.deep.equal([c]);
    for (const { vodId, boxId } of items.slice(0, 2)) {
      expect((await read(`/api/vod/${vodId}`)).status).to.equal(404);
      expect((await read(`/api/box/${boxId}`)).body.vodCount).to.equal(0);
    }
    expect(await bundle.rows()).to.deep.equal([{ place: 0, boxId: c }]);
  });

  it('move and remove: return 400 for indexes beyond the list', async () => {
    expect(rejectedFields(await bundle.move(3, 4))).to.deep.equal(['fromIndex outOfRange', 'toIndex outOfRange']);
    expect(rejectedFields(await bundle.remove(3, 1))).to.deep.equal(['index outOfRange']);
    expect(rejectedFields(await bundle.remove(1, 3))).to.deep.equal(['count outOfRange']);
    await expectUnchanged();
  });

  it('updates the VOD search after insert and remove', async () => {
    const found = async () => {
      await drainSearch(ctx);
      const page = { pageSize: 20, pageIndex: 0, pagination: true };
      const filters = { bundleId: { equal: bundleId } };
      const query = { text: undefined, groups: [], filters, sort: ['-publishedAt'], page };
      return (await ctx.search.query(vodIndex, query)).totalCount;
    };
    expect(await found()).to.equal(3);
    await bundle.insert(0, [d]);
    expect(await found()).to.equal(4);
    await bundle.remove(0, 3);
    expect(await found()).to.equal(1);
  });

  it('returns 409 for the deletion of a box item in a bundle, or being inserted at the same time', async () => {
    const removeBox = (boxId: string) => api.call('DELETE', `/api/box/${boxId}`, { token: publisher.token });
    for (const [isInsertedFirst, statuses] of [
      [true, [200, 409]],
      [false, [204, 404]],
    ] as const) {
      const boxId = await box('Race');
      const calls = [() => bundle.insert(0, [boxId]), () => removeBox(boxId)];
      const lock = 'SELECT 1 FROM box_items WHERE id = $boxId FOR UPDATE';
      const responses = await whileLocked(
        ctx,
        (tx) => ctx.db.rows(lock, { boxId }, tx),
        isInsertedFirst ? calls : calls.toReversed(),
      );
      expect(responses.map(({ status }) => status)).to.deep.equal(statuses);
    }
    await bundle.remove(1, 3);
    expect((await removeBox(a)).status).to.equal(204);
  });
});
