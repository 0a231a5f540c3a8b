import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { indexes } from '../../../shared/indexes.js';
import { type TestResponse, type TestUser, bodyOf, rejectedFields } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { perEvent } from './liveShop.js';
import { openStudio, type Studio } from './studio.js';

/** Searches whose items are returned as the names that the test gave them. */
function searchOf(studio: Studio, item: 'channels' | 'events') {
  const names = new Map<string, string>();
  const found = (response: TestResponse): string[] => {
    const { items, totalCount } = bodyOf(200, response);
    expect(totalCount).to.equal(items.length);
    return items.map(
      ({ channelId, eventId = channelId }: Record<string, string>) => names.get(eventId ?? '') ?? eventId,
    );
  };
  const path = `/search/live/${item}`;
  return {
    names,
    path,
    own: async (body: unknown, { token }: TestUser) => found(await studio.post(`/api${path}`, body, token)),
    everybody: async (body: unknown) => found(await studio.post(`/api/public${path}`, body, studio.anybody)),
  };
}

describe('POST /api/search/live/channels and /api/public/search/live/channels', () => {
  const studio = useFixture(openStudio);
  const { names, path, own, everybody } = searchOf(studio, 'channels');
  let ann: TestUser;
  let bob: TestUser;
  /** A word that no channel of another test contains. */
  const word = `quartz${randomBytes(4).toString('hex')}`;

  before(async () => {
    [ann, bob] = [await studio.newPublisher({ firstName: word }), await studio.newPublisher()];
    const add = async (name: string, owner: TestUser, members: object): Promise<unknown> =>
      names.set(await studio.channel(members, owner), name);
    await add('zebra', ann, { name: 'Zebra', tags: ['Nature', 'snow'] });
    await add('ape', ann, { name: 'ape', description: `on ${word}`, public: false, tags: ['nature'] });
    await add('named', bob, { name: `Bee ${word}` });
    await add('described', bob, { name: 'Bear', description: `all about ${word}` });
    await add('tagged', bob, { name: 'Ant', tags: [word] });
    await studio.drained();
  });

  it('returns 200 to owners with their channels by name, case-insensitively, also without a body, and filters them', async () => {
    expect(await own('', bob)).to.deep.equal(['tagged', 'described', 'named']);
    expect(await own({}, studio.viewer)).to.deep.equal([]);
    for (const [body, expected] of [
      [{}, ['ape', 'zebra']],
      [{ public: true }, ['zebra']],
      [{ public: 'false' }, ['ape']],
      [{ public: '' }, ['ape', 'zebra']],
      [{ tags: ['nature'] }, ['ape', 'zebra']],
      [{ tags: ['nature', 'snow'] }, ['zebra']],
    ] as const)
      expect(await own(body, ann), JSON.stringify(body)).to.deep.equal(expected);
  });

  it('returns 200 with channels as a read returns them', async () => {
    const page = bodyOf(200, await studio.post(`/api${path}`, { pageSize: 1, pageIndex: 1 }, ann.token));
    const [item] = page.items;
    expect({ ...page, items: [] }).to.deep.equal({ items: [], pageSize: 1, pageIndex: 1, totalCount: 2, pageCount: 2 });
    expect(item).to.deep.equal((await studio.get(`/api/live/channel/${item.channelId}`, ann.token)).body);
    const found = await studio.post(`/api/public${path}`, { userCode: ann.userCode }, studio.anybody);
    const [shown] = found.body.items;
    expect(shown).to.deep.equal((await studio.get(`/api/public/live/channel/${shown.channelId}`, studio.anybody)).body);
  });

  it('ranks matches in the name, then description, tags and, in public without a publisher filter, the publisher', async () => {
    expect(await own({ queryString: word }, bob)).to.deep.equal(['named', 'described', 'tagged']);
    expect(await own({ queryString: word }, ann)).to.deep.equal(['ape']);
    for (const [body, expected] of [
      [{ queryString: word }, ['named', 'described', 'tagged', 'zebra']],
      [{ queryString: `${word.slice(0, -2)}*`, tags: ['snow'] }, ['zebra']],
      [{ userCode: ann.userCode.toUpperCase() }, ['zebra']],
      [{ userCode: ann.userCode, queryString: word }, []],
      [{ userCode: 'nobody' }, []],
    ] as const)
      expect(await everybody(body), JSON.stringify(body)).to.deep.equal(expected);
  });

  it('shows changes to the owner before any drain, and hides unlisted channels and disabled publishers at once', async () => {
    const carl = await studio.newPublisher();
    const sent = studio.aChannel({ name: `First ${word}` });
    const listed = () => everybody({ userCode: carl.userCode });
    const channelId = await studio.channel(sent, carl);
    names.set(channelId, 'first');
    expect(await own({ queryString: word }, carl)).to.deep.equal(['first']);
    const update = (members: object) =>
      studio.post(`/api/live/channel/${channelId}`, { ...sent, ...members }, carl.token);
    bodyOf(200, await update({ name: 'Second', public: false }));
    expect(await own({ queryString: word }, carl)).to.deep.equal([]);
    expect(await own({ queryString: 'second', public: false }, carl)).to.deep.equal(['first']);
    expect(await listed()).to.deep.equal([]);
    bodyOf(200, await update({ public: true }));
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, carl.token));
    expect(await listed()).to.deep.equal([]);
  });
});

describe('POST /api/search/live/events and /api/public/search/live/events', () => {
  const studio = useFixture(openStudio);
  const { names, path, own, everybody } = searchOf(studio, 'events');
  let ann: TestUser;
  let bob: TestUser;
  let alps: string;
  let lakes: string;
  /** A word that no event of another test contains. */
  const word = `basalt${randomBytes(4).toString('hex')}`;

  before(async () => {
    [ann, bob] = [await studio.newPublisher({ firstName: word }), await studio.newPublisher()];
    alps = await studio.channel({ name: 'Alps' }, ann);
    lakes = await studio.channel({ name: 'Lakes', description: `deep ${word}` }, bob);
    const dark = await studio.channel({ name: 'Dark', public: false }, bob);
    const add = async (name: string, channelId: string, [start, end]: [number, number], members: object) =>
      names.set((await studio.event(start, end, members, channelId, channelId === alps ? ann : bob)).eventId, name);
    await add('over', alps, [-20, -10], { name: `Over ${word}` });
    await add('now', alps, [-5, 5], { recordEvent: true, tags: ['sun'] });
    await add('late', alps, [100, 120], { ...perEvent, name: `Late ${word}`, tags: ['sun', 'snow'] });
    await add('unlisted', alps, [50, 60], { publicEvent: false, name: `Unlisted ${word}` });
    await add('tagged', lakes, [30, 40], { tags: [word] });
    await add('sameStart', lakes, [100, 110], { name: 'Short' });
    await add('dark', dark, [30, 40], { name: `Dark ${word}` });
    await studio.drained();
  });

  const ofAnn = (body: object = {}) => everybody({ userCode: ann.userCode, ...body });

  it('returns 200 by start, past events only if requested, and in public only public events of public channels', async () => {
    expect(await own('', bob)).to.have.members(['tagged', 'dark', 'sameStart']);
    expect(await own({}, studio.viewer)).to.deep.equal([]);
    for (const [body, expected] of [
      [{}, ['now', 'unlisted', 'late']],
      [{ pastIncluded: 'true' }, ['over', 'now', 'unlisted', 'late']],
      [{ pastIncluded: '' }, ['now', 'unlisted', 'late']],
    ] as const)
      expect(await own(body, ann), JSON.stringify(body)).to.deep.equal(expected);
    expect(await ofAnn()).to.deep.equal(['now', 'late']);
    expect(await ofAnn({ pastIncluded: true })).to.deep.equal(['over', 'now', 'late']);
    expect(await everybody({ userCode: bob.userCode })).to.deep.equal(['tagged', 'sameStart']);
    expect(await everybody({ userCode: 'nobody' })).to.deep.equal([]);
  });

  it('returns 200 with events as a read returns them, with times in the caller’s time zone', async () => {
    const zone = { 'x-service-timezone': '3600000' };
    const page = bodyOf(200, await studio.post(`/api${path}`, { pageSize: 1 }, ann.token, zone));
    const { items, ...rest } = page;
    expect(rest).to.deep.equal({ pageSize: 1, pageIndex: 0, totalCount: 3, pageCount: 3 });
    const { myPlayHlsUrl: _url, playUrlExpireDate: _end, ...event } = items[0];
    const read = (headers?: Record<string, string>) =>
      studio.get(`/api/live/event/${event.eventId}`, ann.token, headers);
    expect(event).to.deep.equal((await read(zone)).body);
    expect(event.eventDate).to.not.deep.equal((await read()).body.eventDate);
    const found = await studio.post(`/api/public${path}`, { userCode: ann.userCode }, studio.anybody);
    const [shown] = found.body.items;
    expect(shown).to.deep.equal((await studio.get(`/api/public/live/event/${shown.eventId}`, studio.anybody)).body);
  });

  it('filters by channel, visibility, recording, payment mode and tags, under all their names, and returns 400 for invalid filters', async () => {
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
      for (const found of [await own(paid, ann), await ofAnn(paid)]) expect(found, name).to.deep.equal(['late']);
      expect(await ofAnn({ conditions: { [name]: 'FREE' } }), name).to.deep.equal(['now']);
    }
    expect(await own({ tags: ['sun', 'snow'] }, ann)).to.deep.equal(['late']);
    expect(await everybody({ channelId: lakes })).to.deep.equal(['tagged', 'sameStart']);
    const body = { channelId: 'none', public: 'perhaps', conditions: { paymentMode: 'CONTENT_BUNDLE' }, pageSize: 0 };
    const fields = ['pageSize minimum', 'channelId id', 'conditions.paymentMode choice', 'public boolean'];
    expect(rejectedFields(await studio.post(`/api${path}`, body))).to.have.members(fields);
    const other = await studio.post(`/api/public${path}`, body, studio.anybody);
    expect(rejectedFields(other)).to.have.members(fields.slice(0, 3));
  });

  it('searches event and channel texts: for owners by relevance, in public by start and also in the publisher', async () => {
    expect(await own({ queryString: word, pastIncluded: true }, ann)).to.deep.equal(['over', 'unlisted', 'late']);
    expect(await own({ queryString: word }, bob)).to.deep.equal(['dark', 'tagged', 'sameStart']);
    expect(await own({ queryString: word, channelId: lakes }, bob), 'not in a filtered channel').to.deep.equal([
      'tagged',
    ]);
    expect(await everybody({ queryString: word })).to.deep.equal(['now', 'tagged', 'sameStart', 'late']);
    expect(await ofAnn({ queryString: word }), 'not in a filtered publisher').to.deep.equal(['late']);
    expect(await everybody({ queryString: `${word.slice(0, -2)}*`, channelId: lakes })).to.deep.equal(['tagged']);
  });

  it('shows changes to the owner before any drain, and hides unlisted events and events of hidden channels at once', async () => {
    const carl = await studio.newPublisher();
    const channel = studio.aChannel();
    const channelId = await studio.channel(channel, carl);
    const { eventId } = await studio.event(10, 20, { name: `First ${word}` }, channelId, carl);
    names.set(eventId, 'first');
    const listed = () => everybody({ userCode: carl.userCode });
    const updateEvent = async (members: object) =>
      bodyOf(200, await studio.post(`/api/live/event/${eventId}`, studio.anEvent(10, 20, members), carl.token));
    const updateChannel = async (members: object) =>
      bodyOf(200, await studio.post(`/api/live/channel/${channelId}`, { ...channel, ...members }, carl.token));
    expect(await own({ queryString: word }, carl)).to.deep.equal(['first']);
    await updateEvent({ name: 'Second', publicEvent: false });
    expect(await own({ queryString: word }, carl)).to.deep.equal([]);
    expect(await listed()).to.deep.equal([]);
    await updateEvent({ publicEvent: true });
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    await updateChannel({ name: `Named ${word}`, public: false });
    expect(await own({ queryString: word }, carl), 'by its channel').to.deep.equal(['first']);
    expect(await listed()).to.deep.equal([]);
    await updateChannel({ public: true });
    await studio.drained();
    expect(await listed()).to.deep.equal(['first']);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, carl.token));
    expect(await listed()).to.deep.equal([]);
  });
});

/** The digests of stored documents depend on these members and values: after a change, the drift sweep writes all documents. */
describe('the search documents of live channels and events', () => {
  const studio = useFixture(openStudio);

  it('contain the texts of the publisher, and for events also those of the channel', async () => {
    const documentOf = async (name: string, id: string) =>
      (await indexes.find((index) => index.name === name)?.document(studio.ctx, [id]))?.[0];
    const { userId: ownerId, userCode } = studio.publisher;
    const publisher = {
      ownerId,
      userCode,
      firstName: 'Ada',
      lastName: 'Lovelace',
      pageTitle: null,
      pageDescription: null,
    };
    const channelId = await studio.channel({ name: 'Alps', description: 'White', tags: ['snow'], public: false });
    expect(await documentOf('liveChannel', channelId)).to.deep.equal({
      ...publisher,
      ...{ id: channelId, public: false, visible: false, name: 'Alps', description: 'White', tags: ['snow'] },
    });
    const now = studio.ctx.clock.now().getTime();
    const { eventId } = await studio.event(10, 20, { description: 'Fast', recordEvent: true }, channelId);
    const wholeSeconds = (minutes: number) => Math.floor((now + minutes * 60_000) / 1000) * 1000;
    expect(await documentOf('liveEvent', eventId)).to.deep.equal({
      ...publisher,
      ...{ id: eventId, channelId, public: true, recorded: true, visible: false, paymentMode: 'FREE' },
      ...{ startsAt: wholeSeconds(10), endsAt: wholeSeconds(20), name: 'Descent', description: 'Fast', tags: [] },
      ...{ channelName: 'Alps', channelDescription: 'White', channelTags: ['snow'] },
    });
  });
});
