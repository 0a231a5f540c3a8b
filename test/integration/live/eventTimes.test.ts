import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createEvent, deleteEvent, updateEvent, type EventDescription } from '../../../shared/live/event.service.js';
import { ConflictError } from '../../../shared/platform/errors.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { useFixture } from '../../support/fixtures.js';
import { inMinutes } from '../../support/liveStreams.js';
import { bodyOf, rejectedFields, statusesOf } from '../../support/api.js';
import { openStudio } from './studio.js';

const rome = { 'x-service-timezone': 'Europe/Rome' };
/** A date and time as requests contain it. */
const wire = (text: string) => ({ date: text.slice(0, 10), time: text.slice(11) });

/** Limits of the duration: test/unit/live/eventTimes.test.ts. */
describe('the times of a live event', () => {
  const studio = useFixture(openStudio);

  async function createAt(times: object, headers: Record<string, string>) {
    const path = `/api/live/channel/${await studio.channel()}/event`;
    return studio.post(path, studio.anEvent(0, 0, times), undefined, headers);
  }

  it('are read and written in the caller’s time zone: a fixed offset, or a named zone with its offset at that moment', async () => {
    const rows: readonly (readonly [
      zone: string,
      ...[start: string, end: string, startsAt: string, endsAt: string],
    ])[] = [
      ['-7200000', '31/12/2040 23:30:00', '01/01/2041 00:30:00', '01/01/2041 01:30:00', '01/01/2041 02:30:00'],
      ['Europe/Rome', '10/07/2040 20:00:00', '10/07/2040 21:00:00', '10/07/2040 18:00:00', '10/07/2040 19:00:00'],
      ['Europe/Rome', '10/12/2040 20:00:00', '10/12/2040 21:00:00', '10/12/2040 19:00:00', '10/12/2040 20:00:00'],
      // Clocks go back at 03:00: in the repeated hour, the first moment that fits is used.
      ['Europe/Rome', '28/10/2040 01:30:00', '28/10/2040 03:30:00', '27/10/2040 23:30:00', '28/10/2040 02:30:00'],
      ['Europe/Rome', '28/10/2029 02:50:00', '28/10/2029 02:20:00', '28/10/2029 00:50:00', '28/10/2029 01:20:00'],
    ];
    for (const [zone, start, end, startsAt, endsAt] of rows) {
      const headers = { 'x-service-timezone': zone };
      const created = bodyOf(201, await createAt({ eventDate: wire(start), endDate: wire(end) }, headers));
      expect([created.eventDate, created.endDate]).to.deep.equal([wire(start), wire(end)]);
      const path = `/api/live/event/${created.eventId}`;
      const read = bodyOf(200, await studio.get(path));
      expect([read.eventDate, read.endDate]).to.deep.equal([wire(startsAt), wire(endsAt)]);
      // The complete event is sent back as read.
      bodyOf(200, await studio.post(path, { ...created, name: 'Renamed' }, undefined, headers));
      expect(bodyOf(200, await studio.get(path)).eventDate).to.deep.equal(wire(startsAt));
    }
  });

  it('are read as ISO 8601 with an offset or in the caller’s time zone, and written as objects', async () => {
    for (const [eventDate, endDate, startTime, endTime] of [
      ['2040-12-01', '2040-12-01T01:30', '00:00:00', '01:30:00'],
      ['2040-12-01T20:00', '2040-12-01T20:30:05', '20:00:00', '20:30:05'],
      ['2040-12-01T20:00:00.000Z', '2040-12-01T21:15Z', '21:00:00', '22:15:00'],
      [' 2040-12-01T08:00-04:30 ', '2040-12-01T21:00+05:30', '13:30:00', '16:30:00'],
    ] as const) {
      const body = bodyOf(201, await createAt({ eventDate, endDate }, { 'x-service-timezone': '3600000' }));
      expect([body.eventDate, body.endDate], eventDate).to.deep.equal([
        { date: '01/12/2040', time: startTime },
        { date: '01/12/2040', time: endTime },
      ]);
    }
  });

  it('remain the same moments if an event is sent back as read, in any zone and in the repeated hour', async () => {
    const event = await studio.event(10, 20, { description: 'Fast', tags: ['a'], recordEvent: true });
    const path = `/api/live/event/${event.eventId}`;
    const sendBack = async (zone: Record<string, string>) => {
      const read = bodyOf(200, await studio.get(path, undefined, zone));
      expect(bodyOf(200, await studio.post(path, read, undefined, zone))).to.deep.equal(read);
      return read;
    };
    await sendBack({ 'x-service-timezone': '19800123' });
    expect((await studio.get(path)).body).to.deep.equal(event);
    const times = { eventDate: wire('28/10/2040 01:10:00'), endDate: wire('28/10/2040 01:50:00') };
    bodyOf(200, await studio.post(path, { ...event, ...times }));
    expect((await sendBack(rome)).eventDate, 'the second 02:10').to.deep.equal(wire('28/10/2040 02:10:00'));
    expect(bodyOf(200, await studio.get(path)).eventDate).to.deep.equal(times.eventDate);
  });

  it('return 400 if they do not exist or are malformed, also in an update', async () => {
    const { eventId, channel } = await studio.event(10, 20);
    const when = { date: '10/10/2040', time: '20:00:00' };
    const skipped = { eventDate: wire('25/03/2040 02:30:00'), endDate: wire('25/03/2040 02:40:00') };
    const rows: readonly (readonly [times: object, ...rejected: string[]])[] = [
      ...['10/10/2040', 2_234_000_000, '2026-02-30T20:00', '2040-10-10T25:00'].map(
        (eventDate) => [{ eventDate }, 'eventDate dateTime'] as const,
      ),
      ...['2040-10-10T20:00+25:00', '20000-10-10T20:00Z', '1999-12-31T20:00'].map(
        (eventDate) => [{ eventDate }, 'eventDate dateTime'] as const,
      ),
      [{ eventDate: { time: '20:00:00' } }, 'eventDate.date required'],
      [{ eventDate: { date: '10/10/2040' } }, 'eventDate.time required'],
      ...['31/02/2040', '2040-10-10', '31/12/1999', '01/01/3000'].map(
        (date) => [{ eventDate: { ...when, date } }, 'eventDate.date date'] as const,
      ),
      ...['24:00:00', '20:00'].map((time) => [{ eventDate: { ...when, time } }, 'eventDate.time time'] as const),
      [{ eventDate: when, endDate: when }, 'endDate endBeforeStart'],
      [{ eventDate: when, endDate: wire('11/10/2040 20:00:01') }, 'endDate tooLong'],
      [skipped, 'eventDate noSuchTime', 'endDate noSuchTime'],
    ];
    for (const path of [`/api/live/channel/${channel.channelId}/event`, `/api/live/event/${eventId}`])
      for (const [times, ...rejected] of rows) {
        const response = await studio.post(path, studio.anEvent(30, 40, times), undefined, rome);
        expect(rejectedFields(response), JSON.stringify(times)).to.deep.equal(rejected);
      }
    for (const eventDate of ['2026-02-30', 7]) {
      const { message } = bodyOf(400, await createAt({ eventDate }, { 'accept-language': 'fr' }));
      for (const part of [
        'doivent exister',
        '{"date": "31/12/2026", "time": "20:30:00"}',
        '"2026-12-31T20:30"',
        '+01:00',
      ])
        expect(message).to.include(part);
    }
  });
});

/** Hours of a day: few, so that events often overlap. */
const hours = 8;
const hour = fc.nat(hours - 1);
const times = fc
  .tuple(hour, hour)
  .map(([one, other]) => ({ from: Math.min(one, other), until: Math.max(one, other) + 1 }));
const change = fc.oneof(
  { weight: 5, arbitrary: times.map((at) => ({ kind: 'create' as const, at })) },
  { weight: 3, arbitrary: fc.tuple(fc.nat(), times).map(([number, at]) => ({ kind: 'move' as const, number, at })) },
  { weight: 2, arbitrary: fc.nat().map((number) => ({ kind: 'delete' as const, number })) },
);

/** The model: the event of each hour of the day. */
type Day = (string | undefined)[];

/** `docs/contract.md#choices-live`: events of one channel do not overlap. */
describe('the events of a channel', () => {
  const studio = useFixture(openStudio);

  const hourMs = 3_600_000;
  function describedBy({ from, until }: { from: number; until: number }): EventDescription {
    const day = studio.ctx.clock.now().getTime() + 48 * hourMs;
    const startsAt = new Date(day + from * hourMs);
    return { name: 'Event', paymentMode: 'FREE', priceCents: null, startsAt, endsAt: new Date(day + until * hourMs) };
  }

  async function orConflict<Result>(work: Promise<Result>): Promise<Result | null> {
    return work.catch((error: unknown) => {
      if (error instanceof ConflictError) return null;
      throw error;
    });
  }

  it('never share an hour after any creations, moves and deletions, and are accepted whenever they fit', async function many() {
    this.timeout(60_000);
    const { ctx, publisher } = studio;
    const run = async (changes: readonly (typeof change extends fc.Arbitrary<infer Value> ? Value : never)[]) => {
      const channelId = await studio.channel({ streamPath: `p${randomBytes(8).toString('hex')}` });
      const day: Day = Array.from({ length: hours });
      const isFree = ({ from, until }: { from: number; until: number }, except?: string) =>
        day.slice(from, until).every((claim) => claim === undefined || claim === except);
      for (const one of changes) {
        const present = [...new Set(day.filter((claim) => claim !== undefined))];
        const eventId = one.kind === 'create' ? undefined : present[one.number % Math.max(1, present.length)];
        if (one.kind === 'create') {
          const created = await orConflict(createEvent(ctx, publisher.userId, channelId, describedBy(one.at)));
          expect(created !== null).to.equal(isFree(one.at));
          if (created) day.fill(created.id, one.at.from, one.at.until);
        } else if (eventId === undefined) continue;
        else if (one.kind === 'delete') {
          await deleteEvent(ctx, publisher.userId, eventId);
          for (const [at, claim] of day.entries()) if (claim === eventId) day[at] = undefined;
        } else {
          const moved = await orConflict(updateEvent(ctx, publisher.userId, eventId, describedBy(one.at), utc));
          expect(moved !== null).to.equal(isFree(one.at, eventId));
          if (!moved) continue;
          for (const [at, claim] of day.entries()) if (claim === eventId) day[at] = undefined;
          day.fill(eventId, one.at.from, one.at.until);
        }
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(change, { minLength: 5, maxLength: 14 }), run), { numRuns: 15 });
  });

  it('may follow each other without a gap, and return 409 for an overlap of a second, with the other event’s name', async () => {
    const channelId = await studio.channel();
    await studio.event(10, 20, {}, channelId);
    await studio.event(-10, 0, {}, channelId);
    await studio.event(0, 10, { name: 'Evening news' }, channelId);
    await studio.event(0, 10);
    const late = await studio.channel();
    await studio.event(0, 10, { name: 'Evening news', endDate: inMinutes(studio.ctx, 10 + 1 / 60) }, late);
    const error = bodyOf(409, await studio.createEvent(late, studio.anEvent(10, 20)));
    expect(error.exception).to.equal('DataIntegrityViolationException');
    expect(error.message).to.include('Evening news');
  });

  it('return 409 for all but one of 20 concurrent requests for the same time', async () => {
    const channelId = await studio.channel();
    const body = studio.anEvent(10, 20);
    const responses = await Promise.all(Array.from({ length: 20 }, () => studio.createEvent(channelId, body)));
    expect(statusesOf(responses)).to.deep.equal([201, ...Array(19).fill(409)]);
    const search = await studio.post('/api/search/live/events', { channelId });
    expect(bodyOf(200, search).totalCount).to.equal(1);
  });
});
