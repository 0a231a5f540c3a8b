import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { inMinutes } from '../../support/liveRows.js';
import { bodyOf, rejectedFields, statusesOf } from '../../support/responses.js';
import { registerSeller } from '../../support/sellers.js';
import { openStudio } from './studio.js';
import { setLivePassword } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';

describe('POST /api/live/channel/{channelId}/event', () => {
  const studio = useFixture(openStudio);

  describe('201', () => {
    it('returns the whole event with its channel to its owner, as a read does', async () => {
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

    it('with the defaults, and without empty members', async () => {
      const hidden = { description: ' ', tags: [''], thumbnailId: '', publicEvent: '', recordEvent: null };
      for (const members of [{}, hidden]) {
        const body = await studio.event(10, 20, members);
        expect(body).to.include({ publicEvent: true, recordEvent: false, onAir: false, paymentMode: 'FREE' });
        expect(body).to.not.have.any.keys('description', 'tags', 'thumbnailId', 'pricePerView');
      }
    });

    it('ignores a price beside FREE, whatever it is', async () => {
      expect(await studio.event(10, 20, { pricePerView: 'nothing' })).to.not.have.property('pricePerView');
    });

    it('reads and writes times in the time zone of the caller', async () => {
      const channelId = await studio.channel();
      const at = (hours: number) => ({ 'x-service-timezone': String(hours * 3_600_000) });
      const sent = studio.anEvent(0, 0, {
        eventDate: { date: '31/12/2040', time: '23:30:00' },
        endDate: { date: '01/01/2041', time: '00:30:00' },
      });
      const created = await studio.post(`/api/live/channel/${channelId}/event`, sent, undefined, at(-2));
      const { eventId, eventDate } = bodyOf(201, created);
      expect(eventDate).to.deep.equal(sent['eventDate']);
      const read = bodyOf(200, await studio.get(`/api/live/event/${eventId}`, undefined, at(1)));
      expect(read.eventDate).to.deep.equal({ date: '01/01/2041', time: '02:30:00' });
      expect(read.endDate).to.deep.equal({ date: '01/01/2041', time: '03:30:00' });
    });

    it('reads ISO 8601 in the time zone of the caller, or at its offset, and writes the objects of the protocol', async () => {
      const channelId = await studio.channel();
      const zone = { 'x-service-timezone': '3600000' };
      const times: readonly (readonly [start: string, end: string, startTime: string, endTime: string])[] = [
        ['2040-12-01', '2040-12-01T01:30', '00:00:00', '01:30:00'],
        ['2040-12-01T20:00', '2040-12-01T20:30:05', '20:00:00', '20:30:05'],
        ['2040-12-01T20:00:00.000Z', '2040-12-01T21:15Z', '21:00:00', '22:15:00'],
        [' 2040-12-01T08:00-04:30 ', '2040-12-01T21:00+05:30', '13:30:00', '16:30:00'],
      ];
      for (const [eventDate, endDate, startTime, endTime] of times) {
        const sent = studio.anEvent(0, 0, { eventDate, endDate });
        const body = bodyOf(201, await studio.post(`/api/live/channel/${channelId}/event`, sent, undefined, zone));
        expect([body.eventDate, body.endDate], eventDate).to.deep.equal([
          { date: '01/12/2040', time: startTime },
          { date: '01/12/2040', time: endTime },
        ]);
      }
    });

    it('in a named time zone, with its offset at that moment; in the hour that clocks repeat the first one that fits', async () => {
      const channelId = await studio.channel();
      const rome = { 'x-service-timezone': 'Europe/Rome' };
      const times: readonly (readonly [start: string, end: string, startsAt: string, endsAt: string])[] = [
        ['10/07/2040 20:00:00', '10/07/2040 21:00:00', '10/07/2040 18:00:00', '10/07/2040 19:00:00'],
        ['10/12/2040 20:00:00', '10/12/2040 21:00:00', '10/12/2040 19:00:00', '10/12/2040 20:00:00'],
        // Clocks go back at 03:00.
        ['28/10/2040 01:30:00', '28/10/2040 03:30:00', '27/10/2040 23:30:00', '28/10/2040 02:30:00'],
        ['28/10/2029 02:50:00', '28/10/2029 02:20:00', '28/10/2029 00:50:00', '28/10/2029 01:20:00'],
      ];
      const wire = (text: string) => ({ date: text.slice(0, 10), time: text.slice(11) });
      for (const [start, end, startsAt, endsAt] of times) {
        const sent = studio.anEvent(0, 0, { eventDate: wire(start), endDate: wire(end) });
        const created = bodyOf(201, await studio.post(`/api/live/channel/${channelId}/event`, sent, undefined, rome));
        expect([created.eventDate, created.endDate]).to.deep.equal([wire(start), wire(end)]);
        const path = `/api/live/event/${created.eventId}`;
        const read = bodyOf(200, await studio.get(path));
        expect([read.eventDate, read.endDate]).to.deep.equal([wire(startsAt), wire(endsAt)]);
        // A whole event that was read is sent back.
        bodyOf(200, await studio.post(path, { ...created, name: 'Renamed' }, undefined, rome));
        expect(bodyOf(200, await studio.get(path)).eventDate).to.deep.equal(wire(startsAt));
      }
    });

    it('of exactly 24 hours, in the past, and right before and after another event', async () => {
      const channelId = await studio.channel();
      await studio.event(0, 24 * 60, {}, channelId);
      await studio.event(-10, 0, {}, channelId);
      await studio.event(24 * 60, 25 * 60, {}, channelId);
    });

    it('at the same time as an event of another channel', async () => {
      await studio.event(10, 20);
      await studio.event(10, 20);
    });

    it('free of charge for a user who has not given the data of a seller', async () => {
      const user = await registerUser(studio.api);
      await setLivePassword(studio.ctx, user.userId);
      await studio.event(10, 20, {}, undefined, user);
    });
  });

  it('400 for local times that clocks skip, also for an update', async () => {
    const rome = { 'x-service-timezone': 'Europe/Rome' };
    const { eventId, channel } = await studio.event(10, 20);
    const skipped = { date: '25/03/2040', time: '02:30:00' };
    const body = studio.anEvent(30, 40, { eventDate: skipped, endDate: { ...skipped, time: '02:40:00' } });
    for (const path of [`/api/live/channel/${channel.channelId}/event`, `/api/live/event/${eventId}`]) {
      const refused = await studio.post(path, body, undefined, rome);
      expect(rejectedFields(refused)).to.deep.equal(['eventDate noSuchTime', 'endDate noSuchTime']);
    }
  });

  describe('400, also for an update', () => {
    const when = { date: '10/10/2040', time: '20:00:00' };
    const cases: readonly [string, object, string][] = [
      ['for a blank name', { name: '' }, 'name blank'],
      ['for an unknown payment mode', { paymentMode: 'CONTENT_BUNDLE' }, 'paymentMode choice'],
      ['without a price', { paymentMode: 'PAY_PER_VIEW' }, 'pricePerView required'],
      ['for a price of nothing', { paymentMode: 'PAY_PER_VIEW', pricePerView: '0,00' }, 'pricePerView price'],
      ['for a huge price', { paymentMode: 'PAY_PER_VIEW', pricePerView: '1000000,00' }, 'pricePerView price'],
      ['for a start in another form of text', { eventDate: '10/10/2040' }, 'eventDate dateTime'],
      ['for a start that is a number', { eventDate: 2_234_000_000 }, 'eventDate dateTime'],
      ['for an ISO day that does not exist', { eventDate: '2026-02-30T20:00' }, 'eventDate dateTime'],
      ['for an ISO time that does not exist', { eventDate: '2040-10-10T25:00' }, 'eventDate dateTime'],
      ['for an ISO offset that does not exist', { eventDate: '2040-10-10T20:00+25:00' }, 'eventDate dateTime'],
      ['for an ISO year of five digits', { eventDate: '20000-10-10T20:00Z' }, 'eventDate dateTime'],
      ['for an ISO year before 2000', { eventDate: '1999-12-31T20:00' }, 'eventDate dateTime'],
      ['without a date', { eventDate: { time: '20:00:00' } }, 'eventDate.date required'],
      ['without a time', { eventDate: { date: '10/10/2040' } }, 'eventDate.time required'],
      ['for a day that does not exist', { eventDate: { ...when, date: '31/02/2040' } }, 'eventDate.date date'],
      ['for another form of date', { eventDate: { ...when, date: '2040-10-10' } }, 'eventDate.date date'],
      ['for a year before 2000', { eventDate: { ...when, date: '31/12/1999' } }, 'eventDate.date date'],
      ['for a year after 2999', { eventDate: { ...when, date: '01/01/3000' } }, 'eventDate.date date'],
      ['for a time that does not exist', { eventDate: { ...when, time: '24:00:00' } }, 'eventDate.time time'],
      ['for another form of time', { eventDate: { ...when, time: '20:00' } }, 'eventDate.time time'],
      ['for an end at the start', { eventDate: when, endDate: when }, 'endDate endBeforeStart'],
      [
        'for an end before the start',
        { eventDate: when, endDate: { ...when, time: '19:59:59' } },
        'endDate endBeforeStart',
      ],
      [
        'for more than 24 hours',
        { eventDate: when, endDate: { date: '11/10/2040', time: '20:00:01' } },
        'endDate tooLong',
      ],
      ['for a `recordEvent` that is no boolean', { recordEvent: 'perhaps' }, 'recordEvent boolean'],
      ['for an unknown thumbnail', { thumbnailId: randomUUID() }, 'thumbnailId thumbnailUnknown'],
    ];
    it('names both forms with an example, in the language of the request', async () => {
      for (const eventDate of ['2026-02-30', 7]) {
        const sent = studio.anEvent(10, 20, { eventDate });
        const french = { 'accept-language': 'fr' };
        const path = `/api/live/channel/${await studio.channel()}/event`;
        const response = await studio.post(path, sent, undefined, french);
        expect(bodyOf(400, response).message).to.include('doivent exister');
        for (const example of ['{"date": "31/12/2026", "time": "20:30:00"}', '"2026-12-31T20:30"', '+01:00'])
          expect(response.body.message).to.include(example);
      }
    });

    for (const [name, members, rejected] of cases) {
      it(name, async () => {
        const { eventId, channel } = await studio.event(10, 20);
        const body = studio.anEvent(30, 40, members);
        expect(rejectedFields(await studio.createEvent(channel.channelId, body))).to.deep.equal([rejected]);
        expect(rejectedFields(await studio.post(`/api/live/event/${eventId}`, body))).to.deep.equal([rejected]);
      });
    }
  });

  it('400 without name, payment mode, start or end, which an update may leave out', async () => {
    const { eventId, channel } = await studio.event(10, 20);
    const body = studio.anEvent(30, 40, { name: undefined, paymentMode: '', eventDate: undefined, endDate: null });
    const missing = ['name required', 'paymentMode required', 'eventDate required', 'endDate required'];
    expect(rejectedFields(await studio.createEvent(channel.channelId, body))).to.have.members(missing);
    bodyOf(200, await studio.post(`/api/live/event/${eventId}`, { ...body, endDate: undefined, tags: ['a'] }));
  });

  it('400 without a live password, which the message names in the language of the caller', async () => {
    const user = await registerSeller(studio.api);
    const channelId = await studio.channel({}, user);
    const path = `/api/live/channel/${channelId}/event`;
    const response = await studio.post(path, studio.anEvent(10, 20), user.token, { 'accept-language': 'it' });
    expect(rejectedFields(response)).to.deep.equal(['features.livePassword passwordMissing']);
    expect(response.body.message).to.match(/^Manca la password.*features\.livePassword/);
    await setLivePassword(studio.ctx, user.userId);
    await studio.event(10, 20, {}, channelId, user);
  });

  it('400 for a paid event without the data of a seller, also for an update', async () => {
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

  it('404 for the channel of another user, an unknown and a malformed id, before anything of the caller is checked', async () => {
    const user = await registerUser(studio.api);
    const channelId = await studio.channel();
    for (const id of [channelId, randomUUID(), '1'])
      bodyOf(404, await studio.createEvent(id, studio.anEvent(10, 20), user));
  });

  describe('409', () => {
    it('for every kind of overlap; the message names the other event', async () => {
      const channelId = await studio.channel();
      await studio.event(100, 200, { name: 'Evening news' }, channelId);
      const overlaps = [
        [100, 200],
        [90, 101],
        [199, 210],
        [120, 130],
        [90, 210],
      ] as const;
      for (const [start, end] of overlaps) {
        const error = bodyOf(409, await studio.createEvent(channelId, studio.anEvent(start, end)));
        expect(error.exception).to.equal('DataIntegrityViolationException');
        expect(error.message).to.include('Evening news');
      }
    });

    it('for an overlap of one second', async () => {
      const channelId = await studio.channel();
      await studio.event(0, 10, { endDate: inMinutes(studio.ctx, 10 + 1 / 60) }, channelId);
      bodyOf(409, await studio.createEvent(channelId, studio.anEvent(10, 20)));
    });

    it('for all but one of 20 requests for the same time', async () => {
      const channelId = await studio.channel();
      const body = studio.anEvent(10, 20);
      const responses = await Promise.all(Array.from({ length: 20 }, () => studio.createEvent(channelId, body)));
      expect(statusesOf(responses)).to.deep.equal([201, ...Array(19).fill(409)]);
      const search = await studio.post('/api/search/live/events', { channelId });
      expect(bodyOf(200, search).totalCount).to.equal(1);
    });
  });
});
