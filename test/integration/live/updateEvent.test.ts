import { expect } from 'chai';
import { inMinutes } from '../../support/liveRows.js';
import { bodyOf, rejectedFields, statusesOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

/** Its 400 are tested with those of creating an event; what a sold one may not change, in soldEvent.test.ts. */
describe('POST /api/live/event/{eventId}', () => {
  const studio = useFixture(openStudio);

  const update = (eventId: string, body: object, token?: string) =>
    studio.post(`/api/live/event/${eventId}`, body, token);

  it('200: replaces all members; the two booleans are unchanged if they are left out', async () => {
    const members = { description: 'Fast', tags: ['a'], publicEvent: false, recordEvent: true };
    const { eventId } = await studio.event(10, 20, members);
    const sent = studio.anEvent(100, 110, { name: 'Ascent', paymentMode: 'PAY_PER_VIEW', pricePerView: '2,00' });
    const changed = bodyOf(200, await update(eventId, sent));
    expect(changed).to.deep.include({ ...sent, eventId, publicEvent: false, recordEvent: true });
    expect(changed).to.not.have.any.keys('description', 'tags');
    const opened = bodyOf(200, await update(eventId, { ...sent, publicEvent: true, recordEvent: false }));
    expect(opened).to.include({ publicEvent: true, recordEvent: false });
    expect((await studio.get(`/api/live/event/${eventId}`)).body).to.deep.equal(opened);
  });

  it('200: without name, mode, start or end only the members that are sent change', async () => {
    const sent = studio.anEvent(10, 20, {
      ...{ description: 'Fast', tags: ['a'], recordEvent: true, paymentMode: 'PAY_PER_VIEW', pricePerView: '2,00' },
    });
    const { eventId } = bodyOf(201, await studio.createEvent(await studio.channel(), sent));
    const expected = { ...sent, eventId };
    const changes: readonly (readonly [body: object, shown: object])[] = [
      [{ name: 'Ascent' }, { name: 'Ascent' }],
      [{ endDate: inMinutes(studio.ctx, 30) }, { endDate: inMinutes(studio.ctx, 30) }],
      [{ eventDate: inMinutes(studio.ctx, 15) }, { eventDate: inMinutes(studio.ctx, 15) }],
      [{ pricePerView: '3,00' }, { pricePerView: '3,00' }],
      [{ publicEvent: false }, { publicEvent: false }],
      [{ paymentMode: 'PAY_PER_VIEW' }, {}],
    ];
    for (const [body, shown] of changes) {
      Object.assign(expected, shown);
      expect(bodyOf(200, await update(eventId, body))).to.deep.include(expected);
    }
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

  it('200: accepts a whole event as it was read, in any time zone', async () => {
    const event = await studio.event(10, 20, { description: 'Fast', tags: ['a'], recordEvent: true });
    const zone = { 'x-service-timezone': '19800123' };
    const path = `/api/live/event/${event.eventId}`;
    const read = bodyOf(200, await studio.get(path, undefined, zone));
    expect(bodyOf(200, await studio.post(path, read, undefined, zone))).to.deep.equal(read);
    expect((await studio.get(path)).body).to.deep.equal(event);
  });

  it('200: the second of two hours that clocks repeat stays the second', async () => {
    const event = await studio.event(10, 20);
    const path = `/api/live/event/${event.eventId}`;
    const at = (time: string) => ({ date: '28/10/2040', time });
    bodyOf(200, await update(event.eventId, { ...event, eventDate: at('01:10:00'), endDate: at('01:50:00') }));
    const rome = { 'x-service-timezone': 'Europe/Rome' };
    const read = bodyOf(200, await studio.get(path, undefined, rome));
    expect(read.eventDate).to.deep.equal(at('02:10:00'));
    expect(bodyOf(200, await studio.post(path, read, undefined, rome))).to.deep.equal(read);
    expect(bodyOf(200, await studio.get(path)).eventDate).to.deep.equal(at('01:10:00'));
  });

  it('200: an event that never went on air may be moved when it is over', async () => {
    const { eventId } = await studio.event(-20, -10);
    expect(bodyOf(200, await update(eventId, studio.anEvent(10, 20))).eventDate).to.deep.equal(
      inMinutes(studio.ctx, 10),
    );
  });

  it('404 for the event of another user, of which nothing changes', async () => {
    const { eventId, ...event } = await studio.event(10, 20);
    bodyOf(404, await update(eventId, studio.anEvent(30, 40), studio.viewer.token));
    expect((await studio.get(`/api/live/event/${eventId}`)).body).to.deep.equal({ eventId, ...event });
  });

  it('409 for an overlap with another event of the channel, not with itself', async () => {
    const channelId = await studio.channel();
    const { eventId } = await studio.event(10, 20, {}, channelId);
    await studio.event(30, 40, {}, channelId);
    bodyOf(200, await update(eventId, studio.anEvent(15, 30)));
    expect(bodyOf(409, await update(eventId, studio.anEvent(15, 31))).exception).to.equal(
      'DataIntegrityViolationException',
    );
  });

  it('409 for one of two events that are moved to the same time at once', async () => {
    const channelId = await studio.channel();
    const first = await studio.event(10, 20, {}, channelId);
    const second = await studio.event(30, 40, {}, channelId);
    const target = studio.anEvent(50, 60);
    const responses = await Promise.all([update(first.eventId, target), update(second.eventId, target)]);
    expect(statusesOf(responses)).to.deep.equal([200, 409]);
  });
});
