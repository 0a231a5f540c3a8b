import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { refusedFields } from '../../support/responses.js';
import { seedBoxItem, type SeedOptions } from '../../support/contents.js';
import { registerDealer } from '../../support/dealers.js';
import { newBundle, openStage, type Stage } from './bundling.js';
import { editsOf, filledBundle, newBox, orderIn, type FilledBundle } from './ordering.js';

const [a, b, c, d] = [0, 1, 2, 3] as const;

describe('Items of a bundle', () => {
  let stage: Stage;
  let bundleId: string;
  let bundle: FilledBundle['bundle'];
  let boxIds: FilledBundle['boxIds'];

  before(async () => {
    stage = await openStage({ ACCESS_TOKEN_SECONDS: String(100 * 86_400) });
  });
  after(() => stage?.close());

  beforeEach(async () => {
    ({ bundleId, bundle, boxIds } = await filledBundle(stage));
  });

  const box = (title: string, options: SeedOptions = {}, ownerId = stage.publisher.userId) =>
    newBox(stage, title, options, ownerId);

  const read = (path: string, token = stage.publisher.token) => stage.api.call('GET', path, { token });

  it('stand in the answer whole, for the owner and for everybody', async () => {
    const { boxId, contentId } = await seedBoxItem(stage.ctx, stage.publisher.userId, {
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

  it('of a new bundle are none', async () => {
    const empty = editsOf(stage, await newBundle(stage.api, stage.publisher));
    expect((await empty.items()).body.items).to.deep.equal([]);
    expect((await empty.publicItems()).body.items).to.deep.equal([]);
  });

  it('are the owner’s to read privately and to change', async () => {
    const other = await registerDealer(stage.api);
    const answers = [
      await bundle.items(other.token),
      await bundle.edit('insert', { index: 0, sourceItems: [{ boxId: boxIds[d] }] }, other.token),
      await bundle.edit('move', { fromIndex: 0, toIndex: 2 }, other.token),
      await bundle.edit('remove', { index: 0, count: 1 }, other.token),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404]);
    expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
  });

  it('of an unknown bundle, or a malformed id, are not found', async () => {
    for (const id of [randomUUID(), '1']) {
      const none = editsOf(stage, id);
      const answers = [
        await none.items(),
        await none.publicItems(),
        await none.insert(0, [boxIds[d]]),
        await none.move(0, 0),
        await none.remove(0, 1),
      ];
      expect(answers.map(({ status }) => status)).to.deep.equal([404, 404, 404, 404, 404]);
    }
  });

  describe('inserting', () => {
    it('puts items before the one at the index, and publishes them in the bundle', async () => {
      const { body } = await bundle.insert(1, [boxIds[d].toUpperCase()]);
      expect(orderIn({ body } as never)).to.deep.equal([boxIds[a], boxIds[d], boxIds[b], boxIds[c]]);
      const vod = (await read(`/api/vod/${body.items[1].vodId}`)).body;
      expect(vod).to.include({ boxId: boxIds[d], licenseType: 'CONTENT_BUNDLE', public: true });
      expect(vod.bundle.bundleId).to.equal(bundleId);
      expect((await read(`/api/box/${boxIds[d]}`)).body.vodCount).to.equal(1);
    });

    it('takes whole box items as they were read', async () => {
      const item = (await read(`/api/box/${boxIds[d]}`)).body;
      expect(orderIn(await bundle.edit('insert', { index: '3', sourceItems: [item] }))).to.deep.equal(boxIds);
    });

    it('moves an item that is in the bundle already, which stays the same item', async () => {
      const before = (await bundle.items()).body.items;
      const { body } = await bundle.insert(3, [boxIds[a], boxIds[d]]);
      expect(orderIn({ body } as never)).to.deep.equal([boxIds[b], boxIds[c], boxIds[a], boxIds[d]]);
      expect(body.items[2]).to.deep.equal(before[0]);
      expect(body.bundle.itemCount).to.equal(4);
    });

    it('may put one box item into two bundles', async () => {
      const other = editsOf(stage, await newBundle(stage.api, stage.publisher));
      expect(orderIn(await other.insert(0, [boxIds[a]]))).to.deep.equal([boxIds[a]]);
      expect(orderIn(await bundle.items())).to.include(boxIds[a]);
    });

    const refusals: readonly [string, object, string][] = [
      ['no index', { index: undefined }, 'index required'],
      ['an index below 0', { index: -1 }, 'index minimum'],
      ['half an index', { index: 0.5 }, 'index integer'],
      ['an index behind the end', { index: 4 }, 'index outOfRange'],
      ['an index beyond all numbers', { index: 1e15 }, 'index outOfRange'],
      ['no items', { sourceItems: undefined }, 'sourceItems required'],
      ['an empty list', { sourceItems: [] }, 'sourceItems tooFew'],
      ['an item without id', { sourceItems: [{}] }, 'sourceItems[0].boxId required'],
      ['items that are none', { sourceItems: ['film'] }, 'sourceItems[0] object'],
      [
        'more than a thousand',
        { sourceItems: Array.from({ length: 1001 }, () => ({ boxId: randomUUID() })) },
        'sourceItems tooMany',
      ],
    ];
    for (const [name, members, refused] of refusals) {
      it(`is refused with ${name}`, async () => {
        const response = await bundle.edit('insert', { index: 0, sourceItems: [{ boxId: boxIds[d] }], ...members });
        expect(refusedFields(response)).to.deep.equal([refused]);
        expect(orderIn(await bundle.items())).to.deep.equal(boxIds.slice(0, 3));
      });
    }

    it('finds no box item of another user, none unknown and none malformed, and names all of them', async () => {
      const foreign = await box('Theirs', {}, stage.viewer.userId);
      const bad = [foreign, randomUUID(), 'film'];
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

    it('is refused with 409 for what is not ready or has expired, and names all of it', async () => {
      const bad = [
        await box('P', { state: 'PENDING' }),
        await box('F', { state: 'FAILED' }),
        await box('E', { expiresAt: stage.ctx.clock.now() }),
      ];
      const response = await bundle.insert(0, [...bad, boxIds[d]]);
      expect(response.status).to.equal(409);
      for (const id of bad) expect(response.body.message).to.contain(id);
      expect(response.body.message).to.not.contain(boxIds[d]);
      expect(await bundle.rows()).to.have.lengthOf(3);
    });

    it('tells of faults of several kinds field by field', async () => {
      const [pending, expired] = [
        await box('P', { state: 'PENDING' }),
        await box('E', { expiresAt: stage.ctx.clock.now() }),
      ];
      const response = await bundle.insert(9, [boxIds[d], randomUUID(), pending, expired, boxIds[d]]);
      expect(refusedFields(response)).to.deep.equal([
        'index outOfRange',
        'sourceItems[1].boxId boxItemUnknown',
        'sourceItems[2].boxId boxItemNotReady',
        'sourceItems[3].boxId boxItemExpired',
        'sourceItems[4].boxId boxItemTwice',
      ]);
    });

    it('is refused for what was acquired for a part of each view, or not for money', async () => {
      const under = async (licenseType: string, ccType: string | null = null) => {
        const boxId = await box(licenseType);
        await acquire(boxId, licenseType, ccType);
        return boxId;
      };
      const bad = [
        await under('REVENUE_SHARING'),
        await under('PAY_PER_VIEW'),
        await under('CREATIVE_COMMONS', 'BY_NC'),
      ];
      const good = [await under('SPOT_PRICE'), await under('FREE'), await under('CREATIVE_COMMONS', 'BY_SA')];
      expect(refusedFields(await bundle.insert(0, [...good, ...bad]))).to.deep.equal([
        'sourceItems[3].boxId notInBundle',
        'sourceItems[4].boxId notInBundle',
        'sourceItems[5].boxId notForMoney',
      ]);
      expect(orderIn(await bundle.insert(0, good)).slice(0, 3)).to.deep.equal(good);
    });

    async function acquire(boxId: string, licenseType: string, ccType: string | null): Promise<void> {
      await stage.ctx.db.change(
        `INSERT INTO acquired_licenses (id, box_item_id, acquirer_id, issuer_id, marketplace_id, offered_box_item_id,
                                        license_type, cc_type, acquired_at)
         VALUES (gen_random_uuid(), $boxId, $acquirerId, $issuerId, gen_random_uuid(), $boxId, $licenseType, $ccType, $now)`,
        {
          boxId,
          acquirerId: stage.publisher.userId,
          issuerId: stage.viewer.userId,
          licenseType,
          ccType,
          now: stage.ctx.clock.now(),
        },
      );
    }

    it('is refused to an owner who may not deal any more', async () => {
      const former = await registerDealer(stage.api);
      const theirs = editsOf(stage, await newBundle(stage.api, former), former);
      await stage.ctx.db.change('UPDATE users SET paypal_email = NULL WHERE id = $id', { id: former.userId });
      const response = await theirs.insert(0, [await box('Z', {}, former.userId)]);
      expect(refusedFields(response)).to.deep.equal(['finance.paypalEmail dealing']);
    });

    it('leaves an item in its bundle when its content has expired, and moves it', async () => {
      await stage.ctx.db.change('UPDATE box_items SET expires_at = $now WHERE id = $id', {
        now: stage.ctx.clock.now(),
        id: boxIds[a],
      });
      expect(orderIn(await bundle.insert(3, [boxIds[a]]))).to.deep.equal([boxIds[b], boxIds[c], boxIds[a]]);
    });
  });
});
