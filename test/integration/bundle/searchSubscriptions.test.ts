import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { rejectedFields } from '../../support/responses.js';
import type { TestUser } from '../../support/api.js';
import { registerSeller } from '../../support/sellers.js';
import { eventually } from '../../support/eventually.js';
import { startWorkers } from '../../support/workers.js';
import { drainSearch } from '../../support/drainSearch.js';
import { aBundle, newBundle, bundlesFixture, subscribed, wireDate } from './bundles.js';
import { BundleSubscription } from '../../../shared/bundle/subscription.model.js';
import { changeRows } from '../../support/rows.js';

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

  it('returns 400 for invalid filters', async () => {
    expect(rejectedFields(await search({ bundleId: 'none', expiredIncluded: 'perhaps', pageSize: 0 }))).to.have.members(
      ['bundleId id', 'expiredIncluded boolean', 'pageSize minimum'],
    );
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

  it('finds a new subscription as soon as the search-sync worker has run', async () => {
    const workers = await startWorkers(ctx, { queues: ['search-sync'] });
    try {
      await subscribe('fresh', bob, { name: 'Fresh', duration: 30, durationUnit: 'DAYS' });
      await eventually(async () => expect(await find({ queryString: 'fresh' })).to.deep.equal(['fresh']), {
        timeoutMs: 5_000,
      });
    } finally {
      await workers.close();
    }
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
