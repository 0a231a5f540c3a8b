import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser, bodyOf, rejectedFields, statusesOf, registerSeller } from '../../support/api.js';
import { useFixture } from '../../support/fixtures.js';
import { inMinutes } from '../../support/liveStreams.js';
import { setLivePassword } from '../../support/users.js';
import { openStudio } from './studio.js';

/** Times, time zones and overlaps: eventTimes.test.ts. */
describe('POST /api/live/channel/{channelId}/event', () => {
  const studio = useFixture(openStudio);

  it('returns 201 to the owner with the complete event and its channel, as read', async () => {
    const channelId = await studio.channel({ description: 'Snow' });
    const sent = studio.anEvent(10, 70, {
      ...{ paymentMode: 'PAY_PER_VIEW', pricePerView: '4,50', description: 'All the way', tags: ['sun'] },
      ...{ publicEvent: false, recordEvent: 'true' },
    });
    const body = bodyOf(201, await studio.createEvent(channelId, sent));
    const channel = (await studio.get(`/api/live/channel/${channelId}`)).body;
    const embedUrl = `${studio.ctx.config.service.publicUrl}/embed/?event=${body.eventId}`;
    const shown = { ...sent, eventId: body.eventId, embedUrl, onAir: false, recordEvent: true };
    expect(body).to.deep.equal({ ...shown, channel });
    expect((await studio.get(`/api/live/event/${body.eventId}`)).body).to.deep.equal(body);
  });

  it('returns 201 with defaults and without empty members, and ignores the price of a free event', async () => {
    const hidden = { description: ' ', tags: [''], thumbnailId: '', publicEvent: '', recordEvent: null };
    for (const members of [{}, hidden, { pricePerView: 'nothing' }]) {
      const body = await studio.event(10, 20, members);
      expect(body).to.include({ publicEvent: true, recordEvent: false, onAir: false, paymentMode: 'FREE' });
      expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId', 'pricePerView');
    }
  });

  it('returns 400 for invalid members, also in an update, in which required members are optional', async () => {
    const { eventId, channel } = await studio.event(10, 20);
    const perView = { paymentMode: 'PAY_PER_VIEW' };
    const invalid: readonly (readonly [members: object, rejected: string])[] = [
      [{ name: '' }, 'name blank'],
      [{ paymentMode: 'CONTENT_BUNDLE' }, 'paymentMode choice'],
      [perView, 'pricePerView required'],
      [{ ...perView, pricePerView: '0,00' }, 'pricePerView price'],
      [{ ...perView, pricePerView: '1000000,00' }, 'pricePerView price'],
      [{ recordEvent: 'perhaps' }, 'recordEvent boolean'],
      [{ thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
    ];
    for (const [members, rejected] of invalid) {
      const body = studio.anEvent(30, 40, members);
      expect(rejectedFields(await studio.createEvent(channel.channelId, body))).to.deep.equal([rejected]);
      expect(rejectedFields(await studio.post(`/api/live/event/${eventId}`, body))).to.deep.equal([rejected]);
    }
    const body = studio.anEvent(30, 40, { name: undefined, paymentMode: '', eventDate: undefined, endDate: null });
    const missing = ['name required', 'paymentMode required', 'eventDate required', 'endDate required'];
    expect(rejectedFields(await studio.createEvent(channel.channelId, body))).to.have.members(missing);
    bodyOf(200, await studio.post(`/api/live/event/${eventId}`, { ...body, endDate: undefined, tags: ['a'] }));
  });

  it('returns 400 without a live password, with a message in the caller’s language', async () => {
    const user = await registerSeller(studio.api);
    const channelId = await studio.channel({}, user);
    const path = `/api/live/channel/${channelId}/event`;
    const response = await studio.post(path, studio.anEvent(10, 20), user.token, { 'accept-language': 'it' });
    expect(rejectedFields(response)).to.deep.equal(['features.livePassword passwordMissing']);
    expect(response.body.message).to.match(/^Manca la password.*features\.livePassword/);
    await setLivePassword(studio.ctx, user.userId);
    await studio.event(10, 20, {}, channelId, user);
  });

  it('returns 201 for a free and 400 for a paid event without seller data, also in an update', async () => {
    const user = await registerUser(studio.api);
    await setLivePassword(studio.ctx, user.userId);
    const { eventId, channel } = await studio.event(10, 20, {}, undefined, user);
    const paid = studio.anEvent(30, 40, { paymentMode: 'PAY_PER_VIEW', pricePerView: '1,00' });
    const missing = ['finance.paypalEmail', 'finance.billingAddress', 'finance.vatNumber'];
    for (const response of [
      await studio.createEvent(channel.channelId, paid, user),
      await studio.post(`/api/live/event/${eventId}`, paid, user.token),
    ])
      expect(rejectedFields(response)).to.deep.equal(missing.map((field) => `${field} dealing`));
  });
});

describe('GET /api/public/live/event/{eventId}', () => {
  const studio = useFixture(openStudio);

  it('returns 200 with the public view of the channel, also if both are unlisted, and 404 otherwise', async () => {
    const publisher = await studio.newPublisher();
    const read = (eventId: string, token = studio.anybody) => studio.get(`/api/public/live/event/${eventId}`, token);
    for (const isPublic of [true, false]) {
      const channelId = await studio.channel({ public: isPublic }, publisher);
      const members = { publicEvent: isPublic, tags: ['a'] };
      const { eventId, ...shown } = await studio.event(10, 20, members, channelId, publisher);
      const channel = (await studio.get(`/api/public/live/channel/${channelId}`, studio.anybody)).body;
      const { publicEvent: _public, recordEvent: _record, ...rest } = shown;
      expect(channel).to.have.property('publisher');
      for (const token of [studio.anybody, studio.viewer.token])
        expect(bodyOf(200, await read(eventId, token))).to.deep.equal({ eventId, ...rest, channel });
    }
    const { eventId } = await studio.event(10, 20, {}, undefined, publisher);
    bodyOf(204, await studio.post('/api/user/me/disable', {}, publisher.token));
    for (const id of [eventId, randomUUID(), '1']) bodyOf(404, await read(id));
  });
});

/** Events that are sold or on air: onAirEvent.test.ts. */
describe('POST and DELETE /api/live/event/{eventId}', () => {
  const studio = useFixture(openStudio);

  const update = (eventId: string, body: object) => studio.post(`/api/live/event/${eventId}`, body);

  it('200: replaces all members except the two omitted booleans', async () => {
    const members = { description: 'Fast', tags: ['a'], publicEvent: false, recordEvent: true };
    const { eventId } = await studio.event(-20, -10, members);
    const sent = studio.anEvent(100, 110, { name: 'Ascent', paymentMode: 'PAY_PER_VIEW', pricePerView: '2,00' });
    const changed = bodyOf(200, await update(eventId, sent));
    expect(changed).to.deep.include({ ...sent, eventId, publicEvent: false, recordEvent: true });
    expect(changed).to.not.have.any.keys('description', 'tags');
    const opened = bodyOf(200, await update(eventId, { ...sent, publicEvent: true, recordEvent: false }));
    expect(opened).to.include({ publicEvent: true, recordEvent: false });
    expect((await studio.get(`/api/live/event/${eventId}`)).body).to.deep.equal(opened);
  });

  it('200: without name, mode, start or end, changes only the members sent', async () => {
    const sent = studio.anEvent(10, 20, {
      ...{ description: 'Fast', tags: ['a'], recordEvent: true, paymentMode: 'PAY_PER_VIEW', pricePerView: '2,00' },
    });
    const { eventId } = bodyOf(201, await studio.createEvent(await studio.channel(), sent));
    const expected = { ...sent, eventId };
    for (const change of [
      { name: 'Ascent' },
      { endDate: inMinutes(studio.ctx, 30) },
      { eventDate: inMinutes(studio.ctx, 15) },
      { pricePerView: '3,00' },
      { publicEvent: false },
      { paymentMode: 'PAY_PER_VIEW' },
    ])
      expect(bodyOf(200, await update(eventId, change))).to.deep.include(Object.assign(expected, change));
    const free = bodyOf(200, await update(eventId, { paymentMode: 'FREE', tags: [] }));
    expect(free).to.include({ description: 'Fast' }).and.not.have.any.keys('pricePerView', 'tags');
    expect(bodyOf(200, await update(eventId, { pricePerView: '9,00' }))).to.not.have.property('pricePerView');
    for (const [body, rejected] of [
      [{ paymentMode: 'PAY_PER_VIEW' }, 'pricePerView required'],
      [{ endDate: inMinutes(studio.ctx, 15) }, 'endDate endBeforeStart'],
      [{ eventDate: inMinutes(studio.ctx, -1500) }, 'endDate tooLong'],
      [{}, 'name required'],
    ] as const)
      expect(rejectedFields(await update(eventId, body))).to.deep.equal([rejected]);
  });

  it('returns 409 for one of two events that are concurrently moved to the same time', async () => {
    const channelId = await studio.channel();
    const first = await studio.event(10, 20, {}, channelId);
    const second = await studio.event(30, 40, {}, channelId);
    const target = studio.anEvent(50, 60);
    const responses = await Promise.all([update(first.eventId, target), update(second.eventId, target)]);
    expect(statusesOf(responses)).to.deep.equal([200, 409]);
  });

  it('returns 204; afterwards the event is not found, and its time is free', async () => {
    const channelId = await studio.channel();
    const { eventId } = await studio.event(10, 20, { recordEvent: true }, channelId);
    const path = `/api/live/event/${eventId}`;
    bodyOf(204, await studio.remove(path));
    bodyOf(404, await studio.get(path));
    bodyOf(404, await studio.get(path.replace('/api/', '/api/public/'), studio.anybody));
    bodyOf(404, await studio.remove(path));
    await studio.event(10, 20, {}, channelId);
  });
});
