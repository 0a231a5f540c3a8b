import { expect } from 'chai';
import fc from 'fast-check';
import { copiesOn } from '../../../shared/cast/programming/copies.js';
import { dayOf, daysFrom, parseCivilDay, sameTimeOn, startsIn } from '../../../shared/cast/programming/day.js';
import { readTimes } from '../../../shared/platform/formats/localTimes.js';
import type { Program } from '../../../shared/cast/programming/program.queries.js';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { fixedZone, timeZoneOf, type TimeZone } from '../../../shared/platform/formats/timeZone.js';

function zone(text: string): TimeZone {
  const found = timeZoneOf(text);
  if (!found) throw new Error(`no time zone: ${text}`);
  return found;
}

const rome = zone('Europe/Rome');
const hour = 3_600_000;
const civil = (text: string): number => parseCivilDay(text) ?? Number.NaN;
const hoursOf = (where: TimeZone, date: string): number => {
  const { from, until } = dayOf(where, civil(date));
  return (+until - +from) / hour;
};

describe('Days of a channel', () => {
  it('are parsed from two formats, for the years 2000 to 2999', () => {
    expect(civil('20260329')).to.equal(Date.UTC(2026, 2, 29));
    expect(civil('29/03/2026')).to.equal(civil('20260329'));
    for (const text of ['20260230', '19991231', '30000101', '2026-03-29', '260329', '', '20260329 '])
      expect(parseCivilDay(text), text).to.equal(undefined);
  });

  it('last 23, 24 or 25 hours, or 24.5 hours if clocks change by half an hour', () => {
    expect(hoursOf(rome, '20260328')).to.equal(24);
    expect(hoursOf(rome, '20260329')).to.equal(23);
    expect(hoursOf(rome, '20261025')).to.equal(25);
    expect(hoursOf(zone('Australia/Lord_Howe'), '20260405')).to.equal(24.5);
    expect(hoursOf(zone('Africa/Cairo'), '20260424')).to.equal(23);
    expect(hoursOf(fixedZone(hour), '20260329')).to.equal(24);
  });

  it('follow each other without gap or overlap in every time zone and year', () => {
    const zones = [
      'Europe/Rome',
      'Africa/Cairo',
      'America/Santiago',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'America/Havana',
    ];
    const someDay = fc.integer({ min: civil('20000102'), max: civil('20991230') });
    fc.assert(
      fc.property(fc.constantFrom(...zones), someDay, fc.nat(86_399), (name, time, second) => {
        const first = time - (time % (24 * hour));
        const days = daysFrom(zone(name), first, 3);
        expect(days[0]?.until).to.deep.equal(days[1]?.from);
        expect(days[1]?.until).to.deep.equal(days[2]?.from);
        const [day] = days;
        if (!day) return;
        const moment = new Date(+day.from + second * 1000);
        // The local date of a moment is the date of its day.
        const local = formatDateTime(moment, zone(name)).date;
        expect(startsIn(day, moment)).to.equal(local === formatDateTime(new Date(first), fixedZone(0)).date);
      }),
      { numRuns: 300 },
    );
  });
});

describe('Local times of programs', () => {
  const at = (time: string, date = '25/10/2026') => ({ date, time });
  const read = (start: string, end: string, present?: { startsAt: Date; endsAt: Date }, previous?: Date) =>
    readTimes(rome, { startDate: at(start), endDate: at(end) }, present, previous);
  const utc = (text: string): Date => new Date(`2026-10-25T${text}Z`);

  it('in the hour that clocks repeat are read as the first ones after the previous program', () => {
    expect(read('02:15:00', '02:45:00')).to.deep.equal({ startsAt: utc('00:15:00'), endsAt: utc('00:45:00') });
    const second = read('02:15:00', '02:45:00', undefined, utc('00:45:00'));
    expect(second).to.deep.equal({ startsAt: utc('01:15:00'), endsAt: utc('01:45:00') });
    expect(read('02:45:00', '02:15:00')).to.deep.equal({ startsAt: utc('00:45:00'), endsAt: utc('01:15:00') });
  });

  it('that equal the local times of the stored program keep its stored moments', () => {
    const present = { startsAt: utc('00:30:00'), endsAt: utc('01:45:00') };
    expect(read('02:30:00', '02:45:00', present)).to.deep.equal(present);
    expect(read('02:30:00', '02:50:00', present)).to.deep.equal({ ...present, endsAt: utc('00:50:00') });
  });

  it('that clocks skip are undefined', () => {
    const sent = { startDate: at('02:30:00', '29/03/2026'), endDate: at('03:30:00', '29/03/2026') };
    expect(readTimes(rome, sent, undefined, undefined).startsAt).to.equal(undefined);
    expect(readTimes(rome, sent, undefined, undefined).endsAt).to.deep.equal(new Date('2026-03-29T01:30:00Z'));
  });
});

describe('Copies of a day', () => {
  const ordinary = dayOf(rome, civil('20260317'));
  function stored(start: Date, minutes: number): Program {
    const endsAt = new Date(+start + minutes * 60_000);
    const times = { startsAt: start, endsAt, createdAt: start, updatedAt: start };
    return {
      ...{
        id: 'id',
        channelId: 'channel',
        ownerId: 'owner',
        ...times,
        type: 'BREAK',
        boxItemId: null,
        offsetSeconds: 0,
      },
      ...{ streamId: null, title: 'Break', description: null, thumbnailId: null, tags: [], failureKey: null },
    };
  }
  const copied = (programs: readonly Program[], date: string, where = rome) =>
    copiesOn(where, { day: dayOf(where, ordinary.civil), programs }, dayOf(where, civil(date)), 'f').map(
      ({ startsAt, endsAt }) =>
        [startsAt, endsAt].map((moment) => formatDateTime(moment, where).time.slice(0, 5)).join('-'),
    );
  // 00:00, 00:30, ... of an ordinary day.
  const halves = (from: number, until: number): Program[] =>
    Array.from({ length: until - from }, (_, index) =>
      stored(new Date(+ordinary.from + (from + index) * 30 * 60_000), 30),
    );

  it('start at the same local times', () => {
    expect(copied(halves(40, 42), '20260318')).to.deep.equal(['20:00-20:30', '20:30-21:00']);
    expect(copied(halves(40, 42), '20260329')).to.deep.equal(['20:00-20:30', '20:30-21:00']);
    expect(copied(halves(40, 42), '20261025')).to.deep.equal(['20:00-20:30', '20:30-21:00']);
  });

  it('leave out programs in the skipped hour on a day of 23 hours', () => {
    expect(copied(halves(3, 7), '20260329')).to.deep.equal(['01:30-03:00', '03:00-03:30']);
  });

  it('contain the programs of the repeated hour once on a day of 25 hours', () => {
    expect(copied(halves(3, 7), '20261025')).to.deep.equal([
      '01:30-02:00',
      '02:00-02:30',
      '02:30-02:00',
      '03:00-03:30',
    ]);
  });

  it('keep the duration of a program that crosses midnight', () => {
    const late = stored(new Date(+ordinary.until - 30 * 60_000), 90);
    expect(copied([late], '20260318')).to.deep.equal(['23:30-01:00']);
  });

  it('keep every second if the zone has a constant offset', () => {
    const constant = fixedZone(0);
    const [source, target] = [dayOf(constant, civil('20260317')), dayOf(constant, civil('20280229'))];
    const moment = new Date(+source.from + 12_345_678);
    expect(+sameTimeOn(constant, moment, source, target) - +target.from).to.equal(12_345_678);
  });
});
