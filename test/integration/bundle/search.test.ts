import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { registerSeller } from '../../support/sellers.js';
import { drainSearch } from '../../support/drainSearch.js';
import { aBundle, bundlesFixture, editsOf, newBundle } from './bundles.js';

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

  it('returns 400 for an invalid page', async () => {
    for (const [path, token] of [
      ['/api/search/contentbundles', ann.token],
      ['/api/public/search/contentbundles', anybody.token],
    ] as const) {
      const response = await api.call('POST', path, { token, body: { pageSize: 0, pageIndex: -1 } });
      expect(rejectedFields(response)).to.deep.equal(['pageSize minimum', 'pageIndex minimum']);
    }
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

  it('has no missing and no dangling documents after a rebuild', async () => {
    const { maintenance } = ctx.search;
    for (const engine of maintenance.engines)
      for (const index of ['bundle', 'subscription']) await maintenance.rebuild(engine, index);
    expect(await find({ queryString: 'mountains' })).to.deep.equal(['a1']);
    const drift = (await maintenance.sweepDrift()).filter(
      ({ index }) => index === 'bundle' || index === 'subscription',
    );
    for (const { missing, dangling } of drift) expect([missing, dangling]).to.deep.equal([0, 0]);
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

  it('returns 200 with an empty page for a user without bundles', async () => {
    const newUser = await registerUser(api);
    expect(await find({}, newUser.token)).to.deep.equal([]);
  });
});
