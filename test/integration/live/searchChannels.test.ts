import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { TestUser } from '../../support/api.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/search/live/channels and /api/public/search/live/channels', () => {
  const studio = useFixture(openStudio);
  let ann: TestUser;
  let bob: TestUser;
  /** A word that is in no channel of another test. */
  const word = `quartz${randomBytes(4).toString('hex')}`;
  const names = new Map<string, string>();

  before(async () => {
    [ann, bob] = [await studio.newPublisher({ firstName: word }), await studio.newPublisher()];
    await add('zebra', ann, { name: 'Zebra', tags: ['Nature', 'snow'] });
    await add('ape', ann, { name: 'ape', description: `on ${word}`, public: false, tags: ['nature'] });
    await add('named', bob, { name: `Bee ${word}` });
    await add('described', bob, { name: 'Bear', description: `all about ${word}` });
    await add('tagged', bob, { name: 'Ant', tags: [word] });
    await studio.drained();
  });

  async function add(name: string, owner: TestUser, members: object): Promise<void> {
    names.set(await studio.channel(members, owner), name);
  }

  async function found(response: Promise<{ status: number; text: string; body: unknown }>): Promise<string[]> {
    const { items, totalCount } = bodyOf(200, (await response) as never);
    expect(totalCount).to.equal(items.length);
    return items.map(({ channelId }: { channelId: string }) => names.get(channelId) ?? channelId);
  }
  const own = (body: unknown, by: TestUser) => found(studio.post('/api/search/live/channels', body, by.token));
  const everybody = (body: unknown) => found(studio.post('/api/public/search/live/channels', body, studio.anybody));

  it('200 for an owner with their own by name, without case, public or not; a body may be missing', async () => {
    expect(await own({}, ann)).to.deep.equal(['ape', 'zebra']);
    expect(await own('', bob)).to.deep.equal(['tagged', 'described', 'named']);
    expect(await own({}, studio.viewer)).to.deep.equal([]);
  });

  it('200 with channels as a read returns them', async () => {
    const page = bodyOf(200, await studio.post('/api/search/live/channels', { pageSize: 1, pageIndex: 1 }, ann.token));
    const [item] = page.items;
    expect({ ...page, items: [] }).to.deep.equal({ items: [], pageSize: 1, pageIndex: 1, totalCount: 2, pageCount: 2 });
    expect(item).to.deep.equal((await studio.get(`/api/live/channel/${item.channelId}`, ann.token)).body);
    const [shown] = (await studio.post('/api/public/search/live/channels', { userCode: ann.userCode }, studio.anybody))
      .body.items;
    expect(shown).to.deep.equal((await studio.get(`/api/public/live/channel/${shown.channelId}`, studio.anybody)).body);
  });

  it('filters by `public` and by tags, all of which must match', async () => {
    expect(await own({ public: true }, ann)).to.deep.equal(['zebra']);
    expect(await own({ public: 'false' }, ann)).to.deep.equal(['ape']);
    expect(await own({ public: '' }, ann)).to.deep.equal(['ape', 'zebra']);
    expect(await own({ tags: ['nature'] }, ann)).to.deep.equal(['ape', 'zebra']);
    expect(await own({ tags: ['nature', 'snow'] }, ann)).to.deep.equal(['zebra']);
  });

  it('searches the text in name, description and tags, in this order; in public last in the publisher', async () => {
    expect(await own({ queryString: word }, bob)).to.deep.equal(['named', 'described', 'tagged']);
    expect(await own({ queryString: word }, ann)).to.deep.equal(['ape']);
    expect(await everybody({ queryString: word })).to.deep.equal(['named', 'described', 'tagged', 'zebra']);
    expect(await everybody({ queryString: `${word.slice(0, -2)}*`, tags: ['snow'] })).to.deep.equal(['zebra']);
  });

  it('in public with `userCode` only those of this publisher, in whom the text is then not searched', async () => {
    expect(await everybody({ userCode: ann.userCode.toUpperCase() })).to.deep.equal(['zebra']);
    expect(await everybody({ userCode: ann.userCode, queryString: word })).to.deep.equal([]);
    expect(await everybody({ userCode: 'nobody' })).to.deep.equal([]);
  });

  it('400 for an invalid page and filter', async () => {
    const response = await studio.post('/api/search/live/channels', { pageSize: 0, public: 'perhaps' });
    expect(rejectedFields(response)).to.have.members(['pageSize minimum', 'public boolean']);
    const other = await studio.post('/api/public/search/live/channels', { pageIndex: -1 }, studio.anybody);
    expect(rejectedFields(other)).to.deep.equal(['pageIndex minimum']);
  });

  it('shows changes to the owner before any drain, and hides at once what is unlisted, deleted or disabled', async () => {
    const carl = await studio.newPublisher();
    const sent = studio.aChannel({ name: `First ${word}` });
    const listed = () => everybody({ userCode: carl.userCode });
    const channelId = await studio.channel(sent, carl);
    names.set(channelId, 'first');
    expect(await own({ queryString: word }, carl)).to.deep.equal(['first']);
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    const path = `/api/live/channel/${channelId}`;
    bodyOf(200, await studio.post(path, { ...sent, name: 'Second', public: false }, carl.token));
    expect(await own({ queryString: word }, carl)).to.deep.equal([]);
    expect(await own({ queryString: 'second', public: false }, carl)).to.deep.equal(['first']);
    expect(await listed()).to.deep.equal([]);
    bodyOf(200, await studio.post(path, { ...sent, public: true }, carl.token));
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, carl.token));
    expect(await listed()).to.deep.equal([]);
  });
});
