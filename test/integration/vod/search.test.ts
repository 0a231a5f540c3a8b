import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { publicToken, registerUser, type TestUser, bodyOf } from '../../support/api.js';
import { seedBoxItem, type SeedOptions, drainSearch, changeRow } from '../../support/rows.js';
import { User } from '../../../shared/user/user.model.js';
import { VodItem } from '../../../shared/vod/vod.model.js';
import { serviceFixture, useFixture } from '../../support/fixtures.js';
import { daysPass, inBundle, openShop, perView, type PublishedItem } from './shop.js';
import { indexes } from '../../../shared/indexes.js';

describe('POST /api/search/vod/contents and /api/public/search/vod/contents', () => {
  const { ctx, api } = serviceFixture({});
  let ann: TestUser;
  let bob: TestUser;
  let shy: TestUser;
  let anybody: string;
  const ids = new Map<string, string>();

  before(async () => {
    [ann, bob, shy] = await Promise.all([
      registerUser(api, { firstName: 'Snow' }),
      registerUser(api),
      registerUser(api),
    ]);
    anybody = await publicToken(api);
    await add('a1', ann, { title: 'Mountain river', tags: ['water', 'nature'] }, { licenseType: 'FREE' });
    await add('a2', ann, { title: 'Hidden river', tags: ['water'] }, { licenseType: 'FREE', public: false });
    const lights = { title: 'City lights', description: 'A river of cars', tags: ['town'] };
    await add('b1', bob, lights, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' });
    await add('b2', bob, { title: 'Snow', tags: ['nature'] }, { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' });
    await add('s1', shy, { title: 'Shy river' }, { licenseType: 'FREE' });
    await ctx.db.transaction(async (tx) => {
      await changeRow(ctx, User, shy.userId, { vodPublic: false }, tx);
      await ctx.search.markDirty(tx, 'user', shy.userId);
    });
    await drained();
  });

  async function add(name: string, owner: TestUser, item: SeedOptions, conditions: object): Promise<void> {
    ctx.clock.advance(1000);
    const { boxId } = await seedBoxItem(ctx, owner.userId, item);
    const { vodId } = bodyOf(
      201,
      await api.call('POST', `/api/box/${boxId}/vod`, { token: owner.token, body: conditions }),
    );
    ids.set(vodId, name);
  }

  const drained = () => drainSearch(ctx);

  async function find(body: object, token?: string): Promise<string[]> {
    const path = token ? '/api/search/vod/contents' : '/api/public/search/vod/contents';
    const response = await api.call('POST', path, { token: token ?? anybody, body });
    expect(response.status, response.text).to.equal(200);
    return response.body.items.map(({ vodId }: { vodId: string }) => ids.get(vodId));
  }

  it('returns 200 in public with public items of publishers with `vodPublic`, newest first', async () => {
    expect(await find({ pageSize: 10, pageIndex: 0 })).to.deep.equal(['b2', 'b1', 'a1']);
  });

  it('returns 200 to the owner with all items, or filtered by `public`', async () => {
    expect(await find({}, ann.token)).to.deep.equal(['a2', 'a1']);
    expect(await find({ public: false }, ann.token)).to.deep.equal(['a2']);
    expect(await find({ public: 'true' }, ann.token)).to.deep.equal(['a1']);
    expect(await find({}, shy.token)).to.deep.equal(['s1']);
  });

  it('ranks matches in the title before those in description and tags', async () => {
    expect(await find({ queryString: 'river' })).to.deep.equal(['a1', 'b1']);
    expect(await find({ queryString: 'moun*' })).to.deep.equal(['a1']);
    expect(await find({ queryString: 'town' })).to.deep.equal(['b1']);
    expect(await find({ queryString: 'river' }, ann.token)).to.have.members(['a1', 'a2']);
  });

  it('ranks matches in the publisher last, and ignores them with `userCode`', async () => {
    expect(await find({ queryString: 'snow' })).to.deep.equal(['b2', 'a1']);
    expect(await find({ queryString: 'snow', userCode: ann.userCode })).to.deep.equal([]);
    expect(await find({ queryString: 'snow', userCode: bob.userCode })).to.deep.equal(['b2']);
    expect(await find({ queryString: ann.userCode }, ann.token)).to.deep.equal([]);
  });

  it('filters by publisher (case-insensitively), tags and conditions', async () => {
    expect(await find({ userCode: bob.userCode.toUpperCase() })).to.deep.equal(['b2', 'b1']);
    expect(await find({ userCode: shy.userCode })).to.deep.equal([]);
    expect(await find({ userCode: 'nobody' })).to.deep.equal([]);
    expect(await find({ userCode: '' })).to.have.lengthOf(3);
    expect(await find({ tags: ['nature'] })).to.deep.equal(['b2', 'a1']);
    expect(await find({ tags: ['nature', 'water'] })).to.deep.equal(['a1']);
    expect(await find({ conditions: { licenseType: 'FREE' } })).to.deep.equal(['a1']);
    expect(await find({ conditions: { licenseType: 'CREATIVE_COMMONS' } })).to.deep.equal(['b2', 'b1']);
    const by = { conditions: { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' } };
    for (const token of [undefined, bob.token]) expect(await find(by, token)).to.deep.equal(['b1']);
    const bundleId = '00000000-0000-4000-8000-000000000000';
    expect(await find({ conditions: { licenseType: 'CONTENT_BUNDLE', bundleId } })).to.deep.equal([]);
    expect(await find({ conditions: {} })).to.have.lengthOf(3);
  });

  it('returns only items that the rows permit, also if the index is outdated', async () => {
    await add('e', bob, { title: 'Ephemeral' }, { licenseType: 'FREE' });
    const [vodId = ''] = [...ids].find(([, name]) => name === 'e') ?? [];
    await drained();
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal(['e']);
    await changeRow(ctx, VodItem, vodId, { public: false });
    expect(await find({ queryString: 'ephemeral' })).to.deep.equal([]);
    expect((await api.call('DELETE', `/api/vod/${vodId}`, { token: bob.token })).status).to.equal(204);
    await drained();
    expect(await find({ queryString: 'ephemeral' }, bob.token)).to.deep.equal([]);
  });
});

describe('POST /api/search/vod/contents and /api/public/search/vod/contents of paid items', () => {
  const shop = useFixture(() => openShop(daysPass));
  let alps: string;
  let coast: string;
  const names = new Map<string, string>();

  before(async () => {
    alps = await shop.newBundle({ name: 'Alps', description: 'Glaciers', tags: ['summit'] });
    coast = await shop.newBundle({ name: 'Coast' });
    await add('free', { licenseType: 'FREE' }, 'A glacier, free');
    await add('video', perView, 'A video');
    await add('peak', inBundle(alps), 'Peak');
    await add('beach', inBundle(coast), 'Beach');
    await drained();
  });

  async function add(name: string, conditions: object, title: string): Promise<PublishedItem> {
    shop.ctx.clock.advance(1000);
    const item = await shop.published(conditions, { title });
    names.set(item.vodId, name);
    return item;
  }

  const drained = () => drainSearch(shop.ctx);

  async function search(body: object, privately = false) {
    const [path, token] = privately ? ['/api', shop.publisher.token] : ['/api/public', shop.anybody];
    return bodyOf(200, await shop.api.call('POST', `${path}/search/vod/contents`, { token, body }));
  }
  const find = async (body: object, privately = false): Promise<(string | undefined)[]> =>
    (await search(body, privately)).items.map(({ vodId }: { vodId: string }) => names.get(vodId));

  it('filters by license type and by bundle', async () => {
    for (const privately of [false, true]) {
      const of = (conditions: object) => find({ conditions }, privately);
      expect(await of({ licenseType: 'PAY_PER_VIEW' })).to.deep.equal(['video']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE' })).to.deep.equal(['beach', 'peak']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE', bundleId: alps })).to.deep.equal(['peak']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE', bundleId: alps.toUpperCase() })).to.deep.equal(['peak']);
      expect(await of({ licenseType: 'CONTENT_BUNDLE', bundleId: randomUUID() })).to.deep.equal([]);
    }
  });

  it('returns price and bundle as a read does', async () => {
    for (const [privately, path, token] of [
      [false, '/api/public/vod', shop.anybody],
      [true, '/api/vod', shop.publisher.token],
    ] as const) {
      for (const item of (await search({}, privately)).items)
        expect(item).to.deep.equal((await shop.api.call('GET', `${path}/${item.vodId}`, { token })).body);
    }
  });

  it('ranks matches in the bundle last, and ignores them with `bundleId`', async () => {
    for (const privately of [false, true]) {
      expect(await find({ queryString: 'glacier' }, privately)).to.deep.equal(['free', 'peak']);
      expect(await find({ queryString: 'alps' }, privately)).to.deep.equal(['peak']);
      expect(await find({ queryString: 'summit' }, privately)).to.deep.equal(['peak']);
      const conditions = { licenseType: 'CONTENT_BUNDLE', bundleId: alps };
      expect(await find({ queryString: 'alps', conditions }, privately)).to.deep.equal([]);
      expect(await find({ queryString: 'peak', conditions }, privately)).to.deep.equal(['peak']);
    }
  });

  it('reflects changes of the bundle and of its items', async () => {
    const renamed = { name: 'Dolomites', price: '12,50', duration: 1, durationUnit: 'MONTHS' };
    const path = `/api/contentbundle/${alps}`;
    bodyOf(200, await shop.api.call('POST', path, { token: shop.publisher.token, body: renamed }));
    const video = [...names].find(([, name]) => name === 'video')?.[0] ?? '';
    bodyOf(200, await shop.update(video, inBundle(alps)));
    await drained();
    expect(await find({ queryString: 'dolomites' })).to.have.members(['peak', 'video']);
    expect(await find({ queryString: 'alps' })).to.deep.equal([]);
    bodyOf(200, await shop.update(video, perView));
    await drained();
    expect(await find({ queryString: 'dolomites' })).to.deep.equal(['peak']);
  });

  it('returns an acquired item in public until its license ends, and to its owner also later', async () => {
    const { boxId } = await shop.acquired({ licenseType: 'FREE', duration: 1, durationUnit: 'DAYS' });
    const { vodId } = bodyOf(201, await shop.publish(boxId, { licenseType: 'FREE' }));
    names.set(vodId, 'acquired');
    await drained();
    const licensed = { queryString: 'licensed' };
    shop.ctx.clock.advance(86_400_000 - 1);
    expect(await find(licensed)).to.deep.equal(['acquired']);
    shop.ctx.clock.advance(1);
    expect(await search(licensed)).to.include({ totalCount: 0, pageCount: 0 });
    expect(await find(licensed, true)).to.deep.equal(['acquired']);
  });
});

/** The digests of stored documents depend on these members and values: after a change, the drift sweep writes all documents. */
describe('the search document of a VOD item', () => {
  const shop = useFixture(openShop);

  async function documentOf({ vodId }: PublishedItem) {
    const index = indexes.find(({ name }) => name === 'vod');
    const [document] = (await index?.document(shop.ctx, [vodId])) ?? [];
    if (!document) throw new Error(`no document of ${vodId}`);
    const { publishedAt, ...members } = document;
    expect(publishedAt).to.be.a('number');
    return members;
  }

  const publisherTexts = () => ({
    userCode: shop.publisher.userCode,
    firstName: 'Ada',
    lastName: 'Lovelace',
    pageTitle: null,
    pageDescription: null,
  });

  it('contains the texts of its bundle', async () => {
    const bundleId = await shop.newBundle({ name: 'Alps', description: 'Glaciers', tags: ['summit'] });
    const item = await shop.published(inBundle(bundleId), { title: 'Peak', tags: ['snow'] });
    expect(await documentOf(item)).to.deep.equal({
      id: item.vodId,
      ownerId: shop.publisher.userId,
      public: true,
      visible: true,
      licenseType: 'CONTENT_BUNDLE',
      ccType: null,
      bundleId,
      expiresAt: Date.UTC(9999, 11, 31),
      title: 'Peak',
      description: null,
      tags: ['snow'],
      bundleName: 'Alps',
      bundleDescription: 'Glaciers',
      bundleTags: ['summit'],
      captionWords: null,
      ...publisherTexts(),
    });
  });
});
