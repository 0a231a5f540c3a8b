import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import type { TestResponse } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { inBundle, openShop, perView } from './shop.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/box/{boxId}/vod and /api/vod/{vodId}, in a bundle', () => {
  const shop = useFixture(openShop);

  /** The positions of the items in their order, which must be the numbers from 0 up. */
  async function placesOf(bundleId: string): Promise<number[]> {
    const rows = await shop.ctx.db.rows<{ place: number }>(
      'SELECT bundle_position AS place FROM vod_items WHERE bundle_id = $bundleId ORDER BY bundle_position',
      { bundleId },
    );
    return rows.map(({ place }) => place);
  }
  const upTo = (count: number) => [...Array(count).keys()];

  it('returns 201 with the bundle, whose public view has its publisher and the number of playable items', async () => {
    const bundleId = await shop.newBundle({ name: 'Alps', description: 'High', tags: ['snow'] });
    await shop.published({ ...inBundle(bundleId), public: false });
    const ended = await shop.published(inBundle(bundleId), {
      expiresAt: new Date(shop.ctx.clock.now().getTime() + 1000),
    });
    const { vodId, body } = await shop.published(inBundle(bundleId));
    const texts = { name: 'Alps', description: 'High', tags: ['snow'] };
    const bundle = { bundleId, ...texts, price: '12,50', duration: 1, durationUnit: 'MONTHS' };
    expect(body).to.deep.include({ licenseType: 'CONTENT_BUNDLE', bundle: { ...bundle, itemCount: 3 } });
    shop.ctx.clock.advance(1000);
    expect((await shop.readPublic(ended.vodId)).status).to.equal(404);
    const publisher = { userCode: shop.publisher.userCode, licenseExpired: false };
    expect(bodyOf(200, await shop.readPublic(vodId)).bundle).to.deep.equal({ ...bundle, itemCount: 2, publisher });
  });

  it('returns 200 with the same bundle and position if the complete item is sent back', async () => {
    const bundleId = await shop.newBundle();
    const first = await shop.published(inBundle(bundleId));
    const { vodId } = await shop.published(inBundle(bundleId));
    const back = { ...first.body, public: false };
    expect(bodyOf(200, await shop.update(first.vodId, back))).to.deep.include({ public: false });
    expect(bodyOf(200, await shop.update(first.vodId, inBundle(bundleId))).bundle.bundleId).to.equal(bundleId);
    expect(await shop.itemsOf(bundleId)).to.deep.equal([first.vodId, vodId]);
  });

  it('returns 200 when an update moves the item to another bundle, out of a bundle, and into a bundle', async () => {
    const [one, two] = [await shop.newBundle(), await shop.newBundle()];
    const [a, b] = [await shop.published(inBundle(one)), await shop.published(inBundle(one))];
    const c = await shop.published(inBundle(two));
    const moved = bodyOf(200, await shop.update(a.vodId, { ...a.body, bundleId: two }));
    expect(moved.bundle.bundleId).to.equal(two);
    expect([await shop.itemsOf(one), await shop.itemsOf(two)]).to.deep.equal([[b.vodId], [c.vodId, a.vodId]]);
    expect(bodyOf(200, await shop.update(c.vodId, perView))).to.not.have.any.keys('bundle');
    expect([await placesOf(one), await placesOf(two)]).to.deep.equal([[0], [0]]);
    bodyOf(200, await shop.update(c.vodId, inBundle(one)));
    expect(await shop.itemsOf(one)).to.deep.equal([b.vodId, c.vodId]);
  });

  it('returns 400 without a bundle, and 404 for a bundle of another owner', async () => {
    const { boxId, vodId } = await shop.published();
    const otherUser = await shop.seller();
    const theirs = await shop.newBundle({}, otherUser);
    const without = { licenseType: 'CONTENT_BUNDLE' };
    expect(rejectedFields(await shop.publish(boxId, without))).to.deep.equal(['bundleId required']);
    expect(rejectedFields(await shop.update(vodId, without))).to.deep.equal(['bundleId required']);
    expect(rejectedFields(await shop.publish(boxId, { ...without, bundle: { bundleId: theirs } }))).to.deep.equal([
      'bundleId required',
    ]);
    expect(rejectedFields(await shop.update(vodId, { ...without, bundle: {} }))).to.deep.equal(['bundleId required']);
    expect(rejectedFields(await shop.publish(boxId, { ...without, bundleId: 'mine' }))).to.deep.equal(['bundleId id']);
    const refused: TestResponse[] = [];
    for (const bundleId of [theirs, randomUUID()]) {
      refused.push(await shop.publish(boxId, inBundle(bundleId)), await shop.update(vodId, inBundle(bundleId)));
    }
    expect(new Set(refused.map((response) => bodyOf(404, response).message))).to.deep.equal(
      new Set(['You have no bundle with this id.']),
    );
    expect(await shop.itemsOf(theirs, otherUser)).to.deep.equal([]);
    expect((await shop.update(vodId, inBundle(theirs), otherUser)).status).to.equal(404);
  });

  it('returns 409 if the bundle already has the box item', async () => {
    const bundleId = await shop.newBundle();
    const { boxId, vodId } = await shop.published(inBundle(bundleId));
    const again = await shop.publish(boxId, inBundle(bundleId));
    expect(bodyOf(409, again).message).to.match(/already contains this content/);
    const { vodId: other } = bodyOf(201, await shop.publish(boxId, perView));
    expect((await shop.update(other, inBundle(bundleId))).status).to.equal(409);
    expect(await shop.itemsOf(bundleId)).to.deep.equal([vodId]);
    expect(bodyOf(200, await shop.update(other, perView)).pricePerView).to.equal('4,00');
  });

  it('keeps the order of two bundles without gaps under concurrent changes', async () => {
    const [one, two] = [await shop.newBundle(), await shop.newBundle()];
    const edits = (bundleId: string, action: string, body: object) =>
      shop.api.call('POST', `/api/contentbundle/${bundleId}/items/${action}`, { token: shop.publisher.token, body });
    const [ones, twos] = [[] as string[], [] as string[]];
    for (let count = 0; count < 6; count += 1) {
      ones.push((await shop.published(inBundle(one))).vodId);
      twos.push((await shop.published(inBundle(two))).vodId);
    }
    const boxes = await Promise.all(upTo(6).map(() => seedBoxItem(shop.ctx, shop.publisher.userId)));
    const work: Promise<TestResponse>[] = [];
    for (let index = 0; index < 4; index += 1) {
      work.push(shop.update(ones[index] ?? '', inBundle(two)), shop.update(twos[index] ?? '', inBundle(one)));
      work.push(shop.publish(boxes[index]?.boxId ?? '', inBundle(index % 2 ? one : two)));
      work.push(edits(index % 2 ? two : one, 'move', { fromIndex: 0, toIndex: 2 }));
    }
    const sourceItems = boxes.slice(4).map(({ boxId }) => ({ boxId }));
    work.push(edits(one, 'insert', { index: 0, sourceItems }), edits(two, 'insert', { index: 1, sourceItems }));
    work.push(shop.remove(ones[4] ?? ''), shop.remove(twos[4] ?? ''), shop.update(ones[5] ?? '', perView));
    const responses = await Promise.all(work);
    expect(responses.filter(({ status }) => status >= 500).map(({ text }) => text)).to.deep.equal([]);
    const [left, right] = [await placesOf(one), await placesOf(two)];
    expect(left).to.deep.equal(upTo(left.length));
    expect(right).to.deep.equal(upTo(right.length));
    expect(left.length + right.length).to.equal(12 - 3 + 4 + 4);
  });
});
