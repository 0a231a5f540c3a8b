import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf, rejectedFields, type TestResponse } from '../../support/api.js';
import { seedBoxItem } from '../../support/rows.js';
import { inBundle, openShop, perView, daysPass } from './shop.js';
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

describe('POST /api/box/{boxId}/vod and /api/vod/{vodId} of an acquired box item', () => {
  const shop = useFixture(() => openShop(daysPass));
  let bundleId: string;

  before(async () => {
    bundleId = await shop.newBundle();
  });

  const free = { licenseType: 'FREE' };
  const shared = { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' };
  const tenEuros = { licenseType: 'PAY_PER_VIEW', pricePerView: '10,00' };

  /** Whether each license permits FREE, CREATIVE_COMMONS BY_SA, PAY_PER_VIEW, CONTENT_BUNDLE. All: `test/unit/marketplace`. */
  const permissions: readonly [string, object, string][] = [
    ['CREATIVE_COMMONS BY_NC', { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_NC' }, 'yes no no no'],
    ['REVENUE_SHARING', { licenseType: 'REVENUE_SHARING', earningPercentage: 50 }, 'no no yes no'],
  ];
  for (const [name, license, permitted] of permissions) {
    it(`returns 400 for conditions that ${name} does not permit, otherwise 201 and 200`, async () => {
      const asked = [free, shared, tenEuros, inBundle(bundleId)];
      const supplied = permitted.split(' ');
      const standing = asked[supplied.indexOf('yes')] ?? free;
      for (const [index, conditions] of asked.entries()) {
        const { boxId } = await shop.acquired(license);
        const published = await shop.publish(boxId, conditions);
        const { vodId } = bodyOf(201, await shop.publish((await shop.acquired(license)).boxId, standing));
        const updated = await shop.update(vodId, conditions);
        if (supplied[index] === 'yes') {
          expect([published.status, updated.status], published.text + updated.text).to.deep.equal([201, 200]);
          continue;
        }
        for (const response of [published, updated]) {
          expect(rejectedFields(response).join()).to.match(/^licenseType /);
          expect(response.body.errors[0].defaultMessage).to.match(/^[A-Z].*\.$/);
          expect(response.body.errors[0].rejectedValue).to.equal(conditions.licenseType);
        }
      }
    });
  }

  it('returns 400 for a price below the licensor’s amount and the platform’s share', async () => {
    const { boxId } = await shop.acquired({ licenseType: 'PAY_PER_VIEW', pricePerView: '1,40' });
    const at = (pricePerView: string) => ({ licenseType: 'PAY_PER_VIEW', pricePerView });
    for (const pricePerView of ['0,01', '1,40', '1,99']) {
      const refused = await shop.publish(boxId, at(pricePerView));
      expect(rejectedFields(refused)).to.deep.equal(['pricePerView priceBelowLicense']);
      expect(refused.body.errors[0].rejectedValue).to.equal(pricePerView);
      expect(refused.body.errors[0].defaultMessage).to.include('1,40').and.include('30,00');
    }
    const { vodId } = bodyOf(201, await shop.publish(boxId, at('2,00')));
    expect(rejectedFields(await shop.update(vodId, at('1,99')))).to.deep.equal(['pricePerView priceBelowLicense']);
  });

  it('returns 404 in public after the license’s end, and MESSAGE for plays', async () => {
    const { boxId } = await shop.acquired({ licenseType: 'FREE', duration: 1, durationUnit: 'DAYS' });
    const { vodId } = bodyOf(201, await shop.publish(boxId, free));
    const paid = bodyOf(201, await shop.publish(boxId, tenEuros)).vodId;
    const read = (id: string) => shop.api.call('GET', `/api/public/vod/${id}`, { token: shop.anybody });
    expect((await read(vodId)).status).to.equal(200);
    shop.ctx.clock.advance(86_400_000);
    expect((await read(vodId)).status).to.equal(404);
    const own = await shop.api.call('GET', `/api/vod/${vodId}`, { token: shop.publisher.token });
    expect(bodyOf(200, own)).to.have.property('expirationDate');
    for (const by of [null, shop.viewer, shop.publisher]) {
      for (const id of [vodId, paid]) {
        const response = bodyOf(200, await shop.play(id, by));
        expect(response).to.include({ result: 'MESSAGE', message: 'This content is no longer available.' });
        expect(response.resource.vodId).to.equal(id);
      }
    }
    expect((await shop.pay(paid, shop.viewer)).status).to.equal(404);
    expect((await shop.pay(paid, null)).status).to.equal(404);
  });
});
