import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields, type TestUser, registerSeller } from '../../support/api.js';
import { seedBoxItem, drainSearch, changeRows } from '../../support/rows.js';
import { aBundle, bundlesFixture, editsOf, newBundle, subscribed, wireDate } from './bundles.js';
import { BundleSubscription } from '../../../shared/bundle/subscription.model.js';

describe('POST /api/search/contentbundles and /api/public/search/contentbundles', () => {
  const fixture = bundlesFixture({});
  const { ctx, api, viewer, anybody } = fixture;
  let ann: TestUser;
  let bob: TestUser;
  const names = new Map<string, string>();

  before(async () => {
    [ann, bob] = [await registerSeller(api, { firstName: 'River' }), await registerSeller(api)];
    await add('a1', ann, { name: 'Mountains', tags: ['nature', 'snow'] });
    await add('a2', ann, { name: 'River trips', tags: ['nature'] });
    await add('b1', bob, { name: 'Cities', description: 'Each by its river', tags: ['town'] });
    await add('b2', bob, { name: 'Ports', tags: ['Town', 'river'] });
    await drained();
  });

  const drained = () => drainSearch(ctx);

  async function add(name: string, owner: TestUser, members: object): Promise<void> {
    ctx.clock.advance(1000);
    names.set(await newBundle(api, owner, members), name);
  }
  const idOf = (name: string) => [...names].find((entry) => entry[1] === name)?.[0] ?? '';

  async function find(body: object, token?: string): Promise<(string | undefined)[]> {
    const path = token ? '/api/search/contentbundles' : '/api/public/search/contentbundles';
    const response = await api.call('POST', path, { token: token ?? anybody.token, body });
    expect(response.status, response.text).to.equal(200);
    expect(response.body.totalCount).to.equal(response.body.items.length);
    return response.body.items.map(({ bundleId }: { bundleId: string }) => names.get(bundleId));
  }

  it('returns 200 with all bundles in public and the caller’s own in private, newest first', async () => {
    expect(await find({})).to.deep.equal(['b2', 'b1', 'a2', 'a1']);
    expect(await find({}, ann.token)).to.deep.equal(['a2', 'a1']);
    expect(await find({}, viewer.token)).to.deep.equal([]);
  });

  it('returns 200 with bundles as a read returns them', async () => {
    const search = (path: string, token: string) => api.call('POST', path, { token, body: { pageSize: 1 } });
    const read = async (path: string, token: string) => (await api.call('GET', path, { token })).body;
    const own = (await search('/api/search/contentbundles', ann.token)).body;
    expect(own).to.deep.equal({
      items: [await read(`/api/contentbundle/${idOf('a2')}`, ann.token)],
      pageSize: 1,
      pageIndex: 0,
      totalCount: 2,
      pageCount: 2,
    });
    const everybody = (await search('/api/public/search/contentbundles', anybody.token)).body;
    expect(everybody.items).to.deep.equal([await read(`/api/public/contentbundle/${idOf('b2')}`, anybody.token)]);
  });

  it('ranks matches in the name first, then description, tags and publisher', async () => {
    expect(await find({ queryString: 'river' })).to.deep.equal(['a2', 'b1', 'b2', 'a1']);
    expect(await find({ queryString: 'river' }, ann.token)).to.deep.equal(['a2']);
    expect(await find({ queryString: 'moun*' })).to.deep.equal(['a1']);
    expect(await find({ queryString: ann.userCode })).to.deep.equal(['a2', 'a1']);
  });

  it('does not match the publisher’s texts when `userCode` is set', async () => {
    expect(await find({ userCode: ann.userCode.toUpperCase() })).to.deep.equal(['a2', 'a1']);
    expect(await find({ userCode: ann.userCode, queryString: 'river' })).to.deep.equal(['a2']);
    expect(await find({ userCode: 'nobody' })).to.deep.equal([]);
  });

  it('requires all tags of the filter to match', async () => {
    expect(await find({ tags: ['nature'] })).to.deep.equal(['a2', 'a1']);
    expect(await find({ tags: ['nature', 'snow'] })).to.deep.equal(['a1']);
    expect(await find({ tags: ['nature'] }, ann.token)).to.deep.equal(['a2', 'a1']);
  });

  it('reflects changes, deletions and the publisher’s state, and hides deleted bundles while the index is outdated', async () => {
    const carl = await registerSeller(api, { lastName: 'Glacier' });
    await add('c1', carl, { name: 'Old name' });
    await add('c2', carl, { name: 'Short lived' });
    await drained();
    expect(await find({ queryString: 'glacier' })).to.deep.equal(['c2', 'c1']);
    await api.call('POST', `/api/contentbundle/${idOf('c1')}`, {
      token: carl.token,
      body: { ...aBundle, name: 'Fresh name' },
    });
    await api.call('DELETE', `/api/contentbundle/${idOf('c2')}`, { token: carl.token });
    expect(await find({ queryString: 'lived' })).to.deep.equal([]);
    expect(await find({ queryString: 'lived' }, carl.token)).to.deep.equal([]);
    await drained();
    expect(await find({ queryString: 'fresh' })).to.deep.equal(['c1']);
    expect(await find({ queryString: 'glacier' })).to.deep.equal(['c1']);
    await api.call('POST', '/api/user/me/disable', { token: carl.token });
    expect(await find({ queryString: 'fresh' })).to.deep.equal([]);
    await drained();
    expect(await find({ queryString: 'fresh' })).to.deep.equal([]);
    const secondPage = { token: anybody.token, body: { pageSize: 1, pageIndex: 1 } };
    const { body } = await api.call('POST', '/api/public/search/contentbundles', secondPage);
    expect(body.totalCount).to.equal(4);
  });

  describe('`excludeBundleId` of POST /api/search/box/contents', () => {
    async function findInBox(body: object): Promise<string[]> {
      const response = await api.call('POST', '/api/search/box/contents', { token: ann.token, body });
      expect(response.status, response.text).to.equal(200);
      expect(response.body.totalCount).to.equal(response.body.items.length);
      return response.body.items.map(({ title }: { title: string }) => title);
    }

    it('omits the items of the bundle without delay', async () => {
      const boxIds: string[] = [];
      for (const title of ['Left', 'Middle', 'Right']) {
        ctx.clock.advance(1000);
        boxIds.push((await seedBoxItem(ctx, ann.userId, { title })).boxId);
      }
      await drained();
      const bundle = editsOf(fixture, idOf('a1'), ann);
      const excludeBundleId = idOf('a1');
      expect(await findInBox({ excludeBundleId })).to.deep.equal(['Right', 'Middle', 'Left']);
      await bundle.insert(0, boxIds.slice(0, 2));
      expect(await findInBox({ excludeBundleId })).to.deep.equal(['Right']);
      expect(await findInBox({ excludeBundleId, queryString: 'left' })).to.deep.equal([]);
      expect(await findInBox({ excludeBundleId: idOf('a2') })).to.have.lengthOf(3);
      expect(await findInBox({ excludeBundleId: '' })).to.have.lengthOf(3);
      await bundle.remove(0, 1);
      expect(await findInBox({ excludeBundleId })).to.deep.equal(['Right', 'Left']);
    });

    it('has no effect for a bundle of another user or an unknown one; 400 for a malformed id', async () => {
      const all = await findInBox({});
      expect(await findInBox({ excludeBundleId: idOf('b1') })).to.deep.equal(all);
      expect(await findInBox({ excludeBundleId: randomUUID() })).to.deep.equal(all);
      const response = await api.call('POST', '/api/search/box/contents', {
        token: ann.token,
        body: { excludeBundleId: 'none' },
      });
      expect(rejectedFields(response)).to.deep.equal(['excludeBundleId id']);
    });
  });
});

const day = 86_400_000;

describe('POST /api/search/contentbundle/subscriptions', () => {
  const { ctx, api, viewer, anybody } = bundlesFixture({ ACCESS_TOKEN_SECONDS: String(100 * 86_400) });
  let ann: TestUser;
  let bob: TestUser;
  /** Start of each subscription. */
  const since = new Map<string, Date>();
  const names = new Map<string, string>();

  before(async () => {
    [ann, bob] = [await registerSeller(api, { lastName: 'Waters' }), await registerSeller(api)];
    await subscribe('short', ann, { name: 'Short videos', duration: 2, durationUnit: 'DAYS', tags: ['video'] });
    await subscribe('waters', bob, { name: 'Waters of the world', duration: 30, durationUnit: 'DAYS' });
    await subscribe('long', ann, { name: 'Long videos', duration: 60, durationUnit: 'DAYS', tags: ['video', 'long'] });
    names.set(await newBundle(api, ann, { name: 'Never bought' }), 'never');
    await drained();
  });

  const drained = () => drainSearch(ctx);
  const idOf = (name: string) => [...names].find((entry) => entry[1] === name)?.[0] ?? '';

  async function subscribe(name: string, owner: TestUser, members: object): Promise<void> {
    ctx.clock.advance(60_000);
    const bundleId = await newBundle(api, owner, members);
    names.set(bundleId, name);
    await subscribed(api, viewer.token, bundleId);
    since.set(name, ctx.clock.now());
  }

  const search = (body: object, token = viewer.token) =>
    api.call('POST', '/api/search/contentbundle/subscriptions', { token, body });

  async function find(body: object, token?: string): Promise<(string | undefined)[]> {
    const response = await search(body, token);
    expect(response.status, response.text).to.equal(200);
    expect(response.body.totalCount).to.equal(response.body.items.length);
    return response.body.items.map(({ bundle }: { bundle: { bundleId: string } }) => names.get(bundle.bundleId));
  }

  it('returns 200 with bundle and dates, in the caller’s time zone', async () => {
    const { items } = (await search({ bundleId: idOf('long') })).body;
    expect(items).to.have.lengthOf(1);
    const start = since.get('long') ?? new Date(0);
    const { body: bundle } = await api.call('GET', `/api/public/contentbundle/${idOf('long')}`, {
      token: anybody.token,
    });
    expect(items[0]).to.deep.equal({
      subscriptionId: items[0].subscriptionId,
      bundle,
      valueDate: wireDate(start),
      expirationDate: wireDate(new Date(start.getTime() + 60 * day)),
    });
    const east = 14 * 60 * 60_000;
    const local = await api.call('POST', '/api/search/contentbundle/subscriptions', {
      token: viewer.token,
      headers: { 'x-service-timezone': String(east) },
      body: { bundleId: idOf('long') },
    });
    expect(local.body.items[0].valueDate).to.equal(wireDate(new Date(start.getTime() + east)));
  });

  it('returns 200 with the caller’s subscriptions, latest first', async () => {
    expect(await find({})).to.deep.equal(['long', 'waters', 'short']);
    expect(await find({}, ann.token)).to.deep.equal([]);
    await subscribed(api, bob.token, idOf('long'));
    await drained();
    expect(await find({}, bob.token)).to.deep.equal(['long']);
    expect((await search({ pageSize: 1, pageIndex: 1 })).body.totalCount).to.equal(3);
  });

  it('never returns another user’s subscriptions, also if the index is outdated', async () => {
    const give = (userId: string) => changeRows(ctx, BundleSubscription, { bundleId: idOf('waters') }, { userId });
    await give(ann.userId);
    expect(await find({})).to.deep.equal(['long', 'short']);
    await give(viewer.userId);
    expect(await find({})).to.deep.equal(['long', 'waters', 'short']);
  });

  it('ranks matches in the bundle before matches in the publisher', async () => {
    expect(await find({ queryString: 'videos' })).to.deep.equal(['long', 'short']);
    expect(await find({ queryString: 'waters' })).to.deep.equal(['waters', 'long', 'short']);
    expect(await find({ queryString: 'bought' })).to.deep.equal([]);
  });

  it('filters by bundle and by tags', async () => {
    expect(await find({ bundleId: idOf('waters').toUpperCase() })).to.deep.equal(['waters']);
    expect(await find({ bundleId: randomUUID() })).to.deep.equal([]);
    expect(await find({ tags: ['video', 'long'] })).to.deep.equal(['long']);
  });

  it('reflects the bundle’s name, and returns subscriptions of a disabled publisher', async () => {
    const gone = await registerSeller(api);
    await subscribe('gone', gone, { name: 'Passing', duration: 30, durationUnit: 'DAYS' });
    await drained();
    await api.call('POST', `/api/contentbundle/${idOf('gone')}`, {
      token: gone.token,
      body: { ...aBundle, name: 'Renamed' },
    });
    await drained();
    expect(await find({ queryString: 'renamed' })).to.deep.equal(['gone']);
    await api.call('POST', '/api/user/me/disable', { token: gone.token });
    await drained();
    expect(await find({ bundleId: idOf('gone') })).to.deep.equal(['gone']);
  });

  // The last test, because it advances the clock.
  it('omits expired subscriptions unless `expiredIncluded` is true', async () => {
    const end = (since.get('short')?.getTime() ?? 0) + 2 * day;
    ctx.clock.advance(end - 1 - ctx.clock.now().getTime());
    expect(await find({ tags: ['video'] })).to.deep.equal(['long', 'short']);
    ctx.clock.advance(1);
    expect(await find({ tags: ['video'] })).to.deep.equal(['long']);
    expect((await search({ pageSize: 1 })).body.totalCount).to.equal((await search({})).body.items.length);
    expect(await find({ tags: ['video'], expiredIncluded: false })).to.deep.equal(['long']);
    expect(await find({ tags: ['video'], expiredIncluded: 'true' })).to.deep.equal(['long', 'short']);
    const deleted = await api.call('DELETE', `/api/contentbundle/${idOf('short')}`, { token: ann.token });
    expect(deleted.status).to.equal(204);
    await drained();
    expect(await find({ bundleId: idOf('short'), expiredIncluded: true })).to.deep.equal(['short']);
  });

  it('lists a new subscription and its new end before the search index is drained', async () => {
    ctx.clock.advance(60_000);
    const bundleId = await newBundle(api, ann, { name: 'Just bought', duration: 3, durationUnit: 'DAYS' });
    names.set(bundleId, 'new');
    const listed = () => find({ queryString: 'just' });
    expect(await listed()).to.deep.equal([]);
    await subscribed(api, viewer.token, bundleId);
    expect(await listed()).to.deep.equal(['new']);
    const ends = ctx.clock.now().getTime() + 6 * day;
    await subscribed(api, viewer.token, bundleId);
    expect((await search({ bundleId })).body.items[0].expirationDate).to.deep.equal(wireDate(new Date(ends)));
    expect(await listed()).to.deep.equal(['new']);
  });
});
