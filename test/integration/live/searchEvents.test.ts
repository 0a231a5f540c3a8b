import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { TestResponse, TestUser } from '../../support/api.js';
import { bodyOf, rejectedFields } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/search/live/events and /api/public/search/live/events', () => {
  const studio = useFixture(openStudio);
  let ann: TestUser;
  let bob: TestUser;
  let alps: string;
  let lakes: string;
  /** A word that is in no event of another test. */
  const word = `basalt${randomBytes(4).toString('hex')}`;
  const names = new Map<string, string>();
  const price = { paymentMode: 'PAY_PER_VIEW', pricePerView: '1,00' };

  before(async () => {
    [ann, bob] = [await studio.newPublisher({ firstName: word }), await studio.newPublisher()];
    alps = await studio.channel({ name: 'Alps' }, ann);
    lakes = await studio.channel({ name: 'Lakes', description: `deep ${word}` }, bob);
    const dark = await studio.channel({ name: 'Dark', public: false }, bob);
    await add('over', ann, alps, [-20, -10], { name: `Over ${word}` });
    await add('now', ann, alps, [-5, 5], { recordEvent: true, tags: ['sun'] });
    await add('late', ann, alps, [100, 120], { ...price, name: `Late ${word}`, tags: ['sun', 'snow'] });
    await add('unlisted', ann, alps, [50, 60], { publicEvent: false, name: `Unlisted ${word}` });
    await add('tagged', bob, lakes, [30, 40], { tags: [word] });
    await add('sameStart', bob, lakes, [100, 110], { name: 'Short' });
    await add('dark', bob, dark, [30, 40], { name: `Dark ${word}` });
    await studio.drained();
  });

  async function add(name: string, by: TestUser, channelId: string, [start, end]: [number, number], members: object) {
    names.set((await studio.event(start, end, members, channelId, by)).eventId, name);
  }

  function found(response: TestResponse): string[] {
    const { items, totalCount } = bodyOf(200, response);
    expect(totalCount).to.equal(items.length);
    return items.map(({ eventId }: { eventId: string }) => names.get(eventId) ?? eventId);
  }
  const own = async (body: unknown, by: TestUser) =>
    found(await studio.post('/api/search/live/events', body, by.token));
  const everybody = async (body: unknown) =>
    found(await studio.post('/api/public/search/live/events', body, studio.anybody));
  const ofAnn = (body: object = {}) => everybody({ userCode: ann.userCode, ...body });

  it('200 for an owner with their own by start, without those that are over; a body may be missing', async () => {
    expect(await own({}, ann)).to.deep.equal(['now', 'unlisted', 'late']);
    expect(await own('', bob)).to.have.members(['tagged', 'dark', 'sameStart']);
    expect(await own({ pastIncluded: 'true' }, ann)).to.deep.equal(['over', 'now', 'unlisted', 'late']);
    expect(await own({ pastIncluded: '' }, ann)).to.deep.equal(['now', 'unlisted', 'late']);
    expect(await own({}, studio.viewer)).to.deep.equal([]);
  });

  it('200 in public with public events of public channels, by start, without those that are over', async () => {
    expect(await ofAnn()).to.deep.equal(['now', 'late']);
    expect(await ofAnn({ pastIncluded: true })).to.deep.equal(['over', 'now', 'late']);
    expect(await everybody({ userCode: bob.userCode })).to.deep.equal(['tagged', 'sameStart']);
    expect(await everybody({ userCode: 'nobody' })).to.deep.equal([]);
  });

  it('200 with events as a read returns them', async () => {
    const page = bodyOf(200, await studio.post('/api/search/live/events', { pageSize: 1 }, ann.token));
    const { items, ...rest } = page;
    expect(rest).to.deep.equal({ pageSize: 1, pageIndex: 0, totalCount: 3, pageCount: 3 });
    const { myPlayHlsUrl: _url, playUrlExpireDate: _end, ...event } = items[0];
    expect(event).to.deep.equal((await studio.get(`/api/live/event/${event.eventId}`, ann.token)).body);
    const [shown] = (await studio.post('/api/public/search/live/events', { userCode: ann.userCode }, studio.anybody))
      .body.items;
    expect(shown).to.deep.equal((await studio.get(`/api/public/live/event/${shown.eventId}`, studio.anybody)).body);
  });

  it('writes times in the time zone of the caller', async () => {
    const zone = { 'x-service-timezone': '3600000' };
    const [item] = bodyOf(200, await studio.post('/api/search/live/events', {}, ann.token, zone)).items;
    const { eventDate } = (await studio.get(`/api/live/event/${item.eventId}`, ann.token, zone)).body;
    expect(item.eventDate).to.deep.equal(eventDate);
    expect(eventDate).to.not.deep.equal(
      (await studio.get(`/api/live/event/${item.eventId}`, ann.token)).body.eventDate,
    );
  });

  it('filters by channel, visibility, recording, payment mode and tags, under each of their names', async () => {
    const all = { pastIncluded: true };
    expect(await own({ channelId: alps }, ann)).to.deep.equal(['now', 'unlisted', 'late']);
    expect(await own({ channelId: lakes }, ann)).to.deep.equal([]);
    for (const name of ['public', 'publicEvent']) {
      expect(await own({ ...all, [name]: true }, ann), name).to.deep.equal(['over', 'now', 'late']);
      expect(await own({ ...all, [name]: 'false' }, ann), name).to.deep.equal(['unlisted']);
    }
    for (const name of ['recorded', 'recordEvent']) {
      expect(await own({ ...all, [name]: true }, ann), name).to.deep.equal(['now']);
      expect(await own({ [name]: false }, ann), name).to.deep.equal(['unlisted', 'late']);
    }
    for (const name of ['paymentMode', 'licenseType']) {
      const paid = { conditions: { [name]: 'PAY_PER_VIEW' } };
      expect(await own(paid, ann), name).to.deep.equal(['late']);
      expect(await ofAnn(paid), name).to.deep.equal(['late']);
      expect(await ofAnn({ conditions: { [name]: 'FREE' } }), name).to.deep.equal(['now']);
    }
    expect(await own({ tags: ['sun', 'snow'] }, ann)).to.deep.equal(['late']);
    expect(await everybody({ channelId: lakes })).to.deep.equal(['tagged', 'sameStart']);
  });

  it('searches an owner’s text in the event and, less relevant, in the channel, unless that is filtered', async () => {
    expect(await own({ queryString: word, pastIncluded: true }, ann)).to.deep.equal(['over', 'unlisted', 'late']);
    expect(await own({ queryString: word }, bob)).to.deep.equal(['dark', 'tagged', 'sameStart']);
    expect(await own({ queryString: word, channelId: lakes }, bob)).to.deep.equal(['tagged']);
  });

  it('orders a public search with text by start too; it also looks in the publisher, unless that is filtered', async () => {
    expect(await everybody({ queryString: word })).to.deep.equal(['now', 'tagged', 'sameStart', 'late']);
    expect(await ofAnn({ queryString: word })).to.deep.equal(['late']);
    expect(await everybody({ queryString: `${word.slice(0, -2)}*`, channelId: lakes })).to.deep.equal(['tagged']);
  });

  it('400 for invalid filters and pages', async () => {
    const body = { channelId: 'none', public: 'perhaps', conditions: { paymentMode: 'CONTENT_BUNDLE' }, pageSize: 0 };
    const fields = ['pageSize minimum', 'channelId id', 'conditions.paymentMode choice', 'public boolean'];
    expect(rejectedFields(await studio.post('/api/search/live/events', body))).to.have.members(fields);
    const other = await studio.post('/api/public/search/live/events', body, studio.anybody);
    expect(rejectedFields(other)).to.have.members(fields.slice(0, 3));
  });

  it('shows changes to the owner before any drain, and hides at once what is unlisted, deleted or disabled', async () => {
    const carl = await studio.newPublisher();
    const channel = studio.aChannel();
    const channelId = await studio.channel(channel, carl);
    const { eventId } = await studio.event(10, 20, { name: `First ${word}` }, channelId, carl);
    names.set(eventId, 'first');
    const listed = () => everybody({ userCode: carl.userCode });
    expect(await own({ queryString: word }, carl)).to.deep.equal(['first']);
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    const path = `/api/live/event/${eventId}`;
    bodyOf(200, await studio.post(path, studio.anEvent(10, 20, { name: 'Second', publicEvent: false }), carl.token));
    expect(await own({ queryString: word }, carl)).to.deep.equal([]);
    expect(await listed()).to.deep.equal([]);
    bodyOf(200, await studio.post(path, studio.anEvent(10, 20, { publicEvent: true }), carl.token));
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    const channelPath = `/api/live/channel/${channelId}`;
    bodyOf(200, await studio.post(channelPath, { ...channel, name: `Named ${word}`, public: false }, carl.token));
    expect(await own({ queryString: word }, carl), 'by its channel').to.deep.equal(['first']);
    expect(await listed()).to.deep.equal([]);
    bodyOf(200, await studio.post(channelPath, { ...channel, public: true }, carl.token));
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, carl.token));
    expect(await listed()).to.deep.equal([]);
  });
});
