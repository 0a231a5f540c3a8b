import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import type { SeedOptions } from '../../support/contents.js';
import { registerSeller } from '../../support/sellers.js';
import { newBundle, bundlesFixture } from './bundles.js';
import { editsOf, filledBundle, newBox, orderIn, type FilledBundle } from './bundleItems.js';
import { changeRow } from '../../support/rows.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { User } from '../../../shared/user/user.model.js';

const [a, b, c, d] = [0, 1, 2, 3] as const;

describe('POST /api/contentbundle/{bundleId}/items/insert', () => {
  const fixture = bundlesFixture();
  const { ctx, api, publisher, viewer } = fixture;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  beforeEach(async () => {
    ({ bundleId, bundle, boxIds } = await filledBundle(fixture));
  });

  const box = (title: string, options: SeedOptions = {}, ownerId = publisher.userId) =>
    newBox(fixture, title, options, ownerId);

  const read = (path: string, token = publisher.token) => api.call('GET', path, { token });

  it('200 with the items before the one at the index, published in the bundle', async () => {
    const { body } = await bundle.insert(1, [boxIds[d].toUpperCase()]);
    expect(orderIn({ body } as never)).to.deep.equal([boxIds[a], boxIds[d], boxIds[b], boxIds[c]]);
    const vod = (await read(`/api/vod/${body.items[1].vodId}`)).body;
    expect(vod).to.include({ boxId: boxIds[d], licenseType: 'CONTENT_BUNDLE', public: true });
    expect(vod.bundle.bundleId).to.equal(bundleId);
    expect((await read(`/api/box/${boxIds[d]}`)).body.vodCount).to.equal(1);
  });

  it('200 for whole box items as they were read', async () => {
    const item = (await read(`/api/box/${boxIds[d]}`)).body;
    expect(orderIn(await bundle.edit('insert', { index: '3', sourceItems: [item] }))).to.deep.equal(boxIds);
  });

  it('200 for an item of the bundle, which is moved and stays the same item', async () => {
    const before = (await bundle.items()).body.items;
    const { body } = await bundle.insert(3, [boxIds[a], boxIds[d]]);
    expect(orderIn({ body } as never)).to.deep.equal([boxIds[b], boxIds[c], boxIds[a], boxIds[d]]);
    expect(body.items[2]).to.deep.equal(before[0]);
    expect(body.bundle.itemCount).to.equal(4);
  });

  it('200 for a box item that is in another bundle', async () => {
    const other = editsOf(fixture, await newBundle(api, publisher));
    expect(orderIn(await other.insert(0, [boxIds[a]]))).to.deep.equal([boxIds[a]]);
    expect(orderIn(await bundle.items())).to.include(boxIds[a]);
  });

  const cases: readonly [string, object, string][] = [
    ['no index', { index: undefined }, 'index required'],
    ['an index below 0', { index: -1 }, 'index minimum'],
    ['a fractional index', { index: 0.5 }, 'index integer'],
    ['an index behind the end', { index: 4 }, 'index outOfRange'],
    ['a huge index', { index: 1e15 }, 'index outOfRange'],
    ['no items', { sourceItems: undefined }, 'sourceItems required'],
    ['an empty list', { sourceItems: [] }, 'sourceItems tooFew'],
    ['an item without id', { sourceItems: [{}] }, 'sourceItems[0].boxId required'],
    ['items that are no objects', { sourceItems: ['video'] }, 'sourceItems[0] object'],
    [
      'more than a thousand',
      { sourceItems: Array.from({ length: 1001 }, () => ({ boxId: randomUUID() })) },
      'sourceItems tooMany',
    ],
  ];
  for (const [name, members, refused] of cases) {
    it(`400 for ${name}`, async () => {
      const response = await bundle.edit('insert', { index: 0, sourceItems: [{ boxId: boxIds[d] }], ...members });
      expect(rejectedFields(response)).to.deep.equal([refused]);
      expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
    });
  }

  it('404 that names all box items of other users, unknown ones and malformed ids', async () => {
    const foreign = await box('Theirs', {}, viewer.userId);
    const bad = [foreign, randomUUID(), 'video'];
    const response = await bundle.insert(0, [boxIds[d], ...bad]);
    expect(response.status).to.equal(404);
    for (const id of bad) expect(response.body.message).to.contain(id);
    expect(response.body.message).to.not.contain(boxIds[d]);
    const alone = await Promise.all(
      bad.map(async (id) => (await bundle.insert(0, [id])).body.message.replace(id, 'ID')),
    );
    expect(new Set(alone).size).to.equal(1);
    expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
  });

  it('409 that names all box items that are not READY or have ended', async () => {
    const bad = [
      await box('P', { state: 'PENDING' }),
      await box('F', { state: 'FAILED' }),
      await box('E', { expiresAt: ctx.clock.now() }),
    ];
    const response = await bundle.insert(0, [...bad, boxIds[d]]);
    expect(response.status).to.equal(409);
    for (const id of bad) expect(response.body.message).to.contain(id);
    expect(response.body.message).to.not.contain(boxIds[d]);
    expect(await bundle.rows()).to.have.lengthOf(3);
  });

  it('409 and 400 with the reason of each box item that has failed', async () => {
    const empty = await box('E', { state: 'FAILED', failureKey: 'content.failure.empty' });
    const damaged = await box('D', { state: 'FAILED', failureKey: 'content.failure.unreadable' });
    const { status, body } = await bundle.insert(0, [empty, boxIds[d], damaged]);
    const damage = 'The file is damaged or incomplete: it cannot be read.';
    expect(status).to.equal(409);
    expect(body.message).to.include(`${empty}, ${damaged}`);
    expect(body.message).to.include(`${empty}: The file is empty. ${damaged}: ${damage}`);
    const response = await bundle.insert(9, [damaged]);
    expect(rejectedFields(response)).to.deep.equal(['index outOfRange', 'sourceItems[0].boxId boxItemNotReady']);
    expect(response.body.errors[1].defaultMessage).to.equal(
      `The content of this box item could not be processed. ${damage}`,
    );
  });

  it('400 with one error per field, if the errors are of several kinds', async () => {
    const [pending, expired] = [await box('P', { state: 'PENDING' }), await box('E', { expiresAt: ctx.clock.now() })];
    const response = await bundle.insert(9, [boxIds[d], randomUUID(), pending, expired, boxIds[d]]);
    expect(rejectedFields(response)).to.deep.equal([
      'index outOfRange',
      'sourceItems[1].boxId boxItemUnknown',
      'sourceItems[2].boxId boxItemNotReady',
      'sourceItems[3].boxId boxItemExpired',
      'sourceItems[4].boxId boxItemTwice',
    ]);
  });

  it('400 for acquired items whose license does not permit bundles', async () => {
    const under = async (licenseType: string, ccType: string | null = null) => {
      const boxId = await box(licenseType);
      await acquire(boxId, licenseType, ccType);
      return boxId;
    };
    const bad = [await under('REVENUE_SHARING'), await under('PAY_PER_VIEW'), await under('CREATIVE_COMMONS', 'BY_NC')];
    const good = [await under('SPOT_PRICE'), await under('FREE'), await under('CREATIVE_COMMONS', 'BY_SA')];
    expect(rejectedFields(await bundle.insert(0, [...good, ...bad]))).to.deep.equal([
      'sourceItems[3].boxId notInBundle',
      'sourceItems[4].boxId notInBundle',
      'sourceItems[5].boxId notForMoney',
    ]);
    expect(orderIn(await bundle.insert(0, good)).slice(0, 3)).to.deep.equal(good);
  });

  async function acquire(boxId: string, licenseType: string, ccType: string | null): Promise<void> {
    await ctx.db.change(
      `INSERT INTO acquired_licenses (id, box_item_id, acquirer_id, issuer_id, marketplace_id, offered_box_item_id,
                                      license_type, cc_type, acquired_at)
       VALUES (gen_random_uuid(), $boxId, $acquirerId, $issuerId, gen_random_uuid(), $boxId, $licenseType, $ccType, $now)`,
      {
        boxId,
        acquirerId: publisher.userId,
        issuerId: viewer.userId,
        licenseType,
        ccType,
        now: ctx.clock.now(),
      },
    );
  }

  it('400 for an owner whose seller’s data are missing now', async () => {
    const former = await registerSeller(api);
    const theirs = editsOf(fixture, await newBundle(api, former), former);
    await changeRow(ctx, User, former.userId, { paypalEmail: null });
    const response = await theirs.insert(0, [await box('Z', {}, former.userId)]);
    expect(rejectedFields(response)).to.deep.equal(['finance.paypalEmail dealing']);
  });

  it('200 for an item of the bundle that has ended: it is moved', async () => {
    await changeRow(ctx, BoxItem, boxIds[a], { expiresAt: ctx.clock.now() });
    expect(orderIn(await bundle.insert(3, [boxIds[a]]))).to.deep.equal([boxIds[b], boxIds[c], boxIds[a]]);
  });
});
