import { expect } from 'chai';
import { startApi, type TestApi, type TestUser, makeSeller } from '../../support/api.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { createLoggedInUser, createUser } from '../../support/users.js';
import { startFakeMeilisearch } from './fakeMeilisearch.js';
import { useFixture, fixtureEach } from '../../support/fixtures.js';
import { boxIndex } from '../../../shared/box/box.index.js';
import { openContext, type OpenContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { eventually } from '../../support/eventually.js';
import { findInBox, marksOf } from './searchFixtures.js';
import { BoxItem } from '../../../shared/box/box.model.js';

const lists = {
  box: { path: '/api/search/box/contents', id: 'boxId' },
  vod: { path: '/api/search/vod/contents', id: 'vodId' },
  bundle: { path: '/api/search/contentbundles', id: 'bundleId' },
  marketplace: { path: '/api/search/marketplace/contents', id: 'marketplaceId' },
  subscription: { path: '/api/search/contentbundle/subscriptions', id: 'subscriptionId' },
} as const;

describe('private searches right after a change', () => {
  let ctx: TestContext;
  let api: TestApi;

  const open = async (overrides: Record<string, string> = {}) => {
    ctx = await openTestContext(overrides);
    api = await startApi(ctx);
  };
  const close = async () => {
    await api.close();
    await ctx.close();
  };

  const newSeller = async (): Promise<TestUser> => {
    const user = await createLoggedInUser(ctx);
    await makeSeller(ctx, user.userId);
    return user;
  };

  async function send(method: string, path: string, { token }: TestUser, body?: object) {
    const response = await api.call(method, path, { token, ...(body ? { body } : {}) });
    expect(response.status, `${method} ${path}: ${response.text}`).to.be.oneOf([200, 201, 204]);
    return response.body;
  }

  /** Ids in a private list, whose total must be exact. */
  async function listed(list: keyof typeof lists, user: TestUser, body: object = {}): Promise<string[]> {
    const { items, totalCount } = await send('POST', lists[list].path, user, { pagination: false, ...body });
    expect(totalCount).to.equal(items.length);
    return items.map((item: Record<string, string>) => item[lists[list].id]);
  }

  const aBundle = (name: string) => ({ name, price: '9,00', duration: 1, durationUnit: 'MONTHS' });

  /** Creates, renames and deletes `count` bundles, and lists them after each step with and without words. */
  async function changeBundles(count: number): Promise<void> {
    const user = await newSeller();
    const ids: string[] = [];
    for (let number = 0; number < count; number += 1) {
      ctx.clock.advance(1_000);
      ids.unshift((await send('POST', '/api/contentbundle', user, aBundle(`f${number}`))).bundleId);
      expect(await listed('bundle', user), `${number} created`).to.deep.equal(ids);
      expect(await listed('bundle', user, { queryString: `f${number}` })).to.deep.equal(ids.slice(0, 1));
    }
    for (const [position, id] of ids.entries()) {
      await send('POST', `/api/contentbundle/${id}`, user, aBundle(`s${position} renamed`));
      expect(await listed('bundle', user, { queryString: `s${position}` }), `${position} renamed`).to.deep.equal([id]);
      expect(await listed('bundle', user, { queryString: 'renamed' })).to.have.length(position + 1);
      expect(await listed('bundle', user)).to.deep.equal(ids);
    }
    for (const [position, id] of ids.entries()) {
      await send('DELETE', `/api/contentbundle/${id}`, user);
      const left = ids.slice(position + 1);
      expect(await listed('bundle', user), `${position} deleted`).to.deep.equal(left);
      expect(await listed('bundle', user, { queryString: 'renamed' })).to.deep.equal(left);
      const { items, totalCount } = await send('POST', lists.bundle.path, user, { pageSize: 1 });
      expect(items.map(({ bundleId }: { bundleId: string }) => bundleId)).to.deep.equal(left.slice(0, 1));
      expect(totalCount).to.equal(left.length);
    }
  }

  describe('without workers', () => {
    before(() => open());
    after(close);

    it('find 51 created, renamed and deleted bundles', async function many() {
      this.timeout(60_000);
      await changeBundles(17);
    });

    it('find changes of box items, publications, offers and acquired items', async () => {
      const user = await newSeller();
      const buyer = await newSeller();
      const { boxId } = await seedBoxItem(ctx, user.userId, { title: 'First cockatoo', tags: ['one'] });
      expect(await listed('box', user)).to.deep.equal([boxId]);
      expect(await listed('box', user, { queryString: 'cockatoo' })).to.deep.equal([boxId]);
      await send('POST', `/api/box/${boxId}`, user, { title: 'Parrot', tags: ['two'] });
      expect(await listed('box', user, { queryString: 'cockatoo' })).to.deep.equal([]);
      expect(await listed('box', user, { queryString: 'parr*', tags: ['two'] })).to.deep.equal([boxId]);
      expect(await listed('box', user, { tags: ['one'] })).to.deep.equal([]);

      const { vodId } = await send('POST', `/api/box/${boxId}/vod`, user, { licenseType: 'FREE', public: true });
      expect(await listed('vod', user, { public: true })).to.deep.equal([vodId]);
      await send('POST', `/api/vod/${vodId}`, user, { licenseType: 'FREE', public: false });
      expect(await listed('vod', user, { public: true })).to.deep.equal([]);
      expect(await listed('vod', user, { public: false, queryString: 'parrot' })).to.deep.equal([vodId]);
      await send('DELETE', `/api/vod/${vodId}`, user);
      expect(await listed('vod', user)).to.deep.equal([]);

      const offer = { licenseType: 'FREE', duration: 1, durationUnit: 'MONTHS' };
      const { marketplaceId } = await send('POST', `/api/box/${boxId}/marketplace`, user, offer);
      expect(await listed('marketplace', user, { queryString: 'parrot' })).to.deep.equal([marketplaceId]);
      const acquired = await send('POST', `/api/marketplace/${marketplaceId}/acquire`, buyer, {});
      expect(acquired.result).to.equal('FULFILLED');
      const found = await listed('box', buyer, { source: 'MARKET_PLACE', conditions: { licenseType: 'FREE' } });
      expect(found).to.have.length(1);
      expect(await listed('box', buyer, { queryString: 'parrot' })).to.deep.equal(found);
      await send('DELETE', `/api/marketplace/${marketplaceId}`, user);
      expect(await listed('marketplace', user)).to.deep.equal([]);
    });
  });

  describe('with Meilisearch', () => {
    const server = useFixture(startFakeMeilisearch);
    before(() => open({ MEILI_URL: server.url, MEILI_API_KEY: 'a-secret-key' }));
    after(() => close());

    it('find changes that only PostgreSQL has, and use Meilisearch when it has them all', async () => {
      await ctx.search.maintenance.drain('postgres');
      await ctx.search.maintenance.drain('meilisearch');
      ctx.clock.advance(6_000);
      await changeBundles(3);
      expect(server.searches).to.equal(0);
      const user = await newSeller();
      const { bundleId } = await send('POST', '/api/contentbundle', user, aBundle('settled'));
      await ctx.search.maintenance.drain('meilisearch');
      ctx.clock.advance(6_000);
      expect(await listed('bundle', user, { queryString: 'settled' })).to.deep.equal([bundleId]);
      expect(server.searches).to.equal(1);
    });
  });
});

describe('search with Meilisearch', () => {
  const server = fixtureEach(startFakeMeilisearch);
  const ctx = fixtureEach(() => openTestContext({ MEILI_URL: server.url, MEILI_API_KEY: 'a-secret-key' }));
  let ownerId: string;

  beforeEach(async () => {
    ownerId = await createUser(ctx);
    await ctx.db.rows('TRUNCATE search_marks');
  });

  const drainBoth = async () => {
    await ctx.search.maintenance.drain('postgres');
    await ctx.search.maintenance.drain('meilisearch');
    // The state of index builds is cached for some seconds.
    ctx.clock.advance(6_000);
  };

  const rename = (boxId: string, title: string) =>
    ctx.db.transaction(async (tx) => {
      await changeRow(ctx, BoxItem, boxId, { title }, tx);
      await ctx.search.markDirty(tx, 'box', boxId);
    });

  it('writes to both engines, and searches in Meilisearch only for words', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    expect(await marksOf(ctx, 'postgres')).to.deep.equal([`box ${boxId} 1`]);
    expect(await marksOf(ctx, 'meilisearch')).to.deep.equal([`box ${boxId} 1`]);
    await drainBoth();
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
    expect(server.searches).to.equal(1);
    expect(await findInBox(ctx, ownerId)).to.deep.equal([boxId]);
    expect(server.searches).to.equal(1);
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: true, active: 'meilisearch' });
  });

  it('uses PostgreSQL for words in any order other than relevance', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    ctx.clock.advance(1_000);
    const { boxId: less } = await seedBoxItem(ctx, ownerId, { title: 'Bird', description: 'a cockatoo' });
    await drainBoth();
    const page = { pageSize: 20, pageIndex: 0, pagination: true };
    const query = { text: 'cockatoo', groups: ['content'] as const, filters: {}, page };
    const find = async (sort: string, isRanked: boolean) =>
      (await ctx.search.query(boxIndex, { ...query, sort: [sort], isRanked })).ids;
    expect(await find('-createdAt', false)).to.deep.equal([less, boxId]);
    expect(await find('createdAt', false)).to.deep.equal([boxId, less]);
    expect(server.searches).to.equal(0);
    expect(await find('-createdAt', true)).to.have.members([boxId, less]);
    expect(server.searches).to.equal(1);
  });

  it('loses no change while Meilisearch is down, and uses PostgreSQL', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await drainBoth();
    await server.close();
    await rename(boxId, 'Parrot');
    await ctx.search.maintenance.drain('postgres');
    expect(await ctx.search.maintenance.drain('meilisearch').catch(String)).to.contain('failed');
    expect(await marksOf(ctx, 'postgres')).to.deep.equal([]);
    expect(await marksOf(ctx, 'meilisearch')).to.deep.equal([`box ${boxId} 1`]);
    for (let times = 0; times < 5; times += 1) expect(await findInBox(ctx, ownerId, 'parrot')).to.deep.equal([boxId]);
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: false, active: 'postgres' });

    await server.start();
    await drainBoth();
    expect(await marksOf(ctx, 'meilisearch')).to.deep.equal([]);
    const before = server.searches;
    await eventually(async () => {
      expect(await findInBox(ctx, ownerId, 'parrot')).to.deep.equal([boxId]);
      expect(server.searches).to.be.greaterThan(before);
    });
    expect(await ctx.search.health()).to.deep.equal({ engine: 'meilisearch', ok: true, active: 'meilisearch' });
  });

  it('uses PostgreSQL until the indexes are rebuilt after Meilisearch was removed from the settings for a while', async () => {
    const { boxId } = await seedBoxItem(ctx, ownerId, { title: 'Cockatoo' });
    await drainBoth();
    const without = await openWithoutMeilisearch(ctx);
    await without.search.maintenance.drain('meilisearch');
    await without.db.transaction((tx) => without.search.markDirty(tx, 'box', boxId));
    await without.close();
    ctx.clock.advance(6_000);
    expect(await findInBox(ctx, ownerId, 'cockatoo')).to.deep.equal([boxId]);
    expect(server.searches).to.equal(0);
  });
});

/** The context of another process without Meilisearch. */
function openWithoutMeilisearch(ctx: TestContext): Promise<OpenContext> {
  const { MEILI_URL: _, ...env } = ctx.env;
  return openContext(readConfig('worker', env), { clock: ctx.clock });
}
