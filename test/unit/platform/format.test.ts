import { expect } from 'chai';
import fc from 'fast-check';
import { contentUrn, parseContentUrn } from '../../../shared/content/contentUrn.js';
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatGigabytes,
  formatPercent,
  formatPlainDate,
  formatPrice,
  isUuid,
  momentsOf,
  parseDate,
  parseIsoTime,
  parsePlainDate,
  parsePrice,
} from '../../../shared/platform/formats/format.js';
import { monthsOf } from '../../../shared/platform/formats/months.js';
import { endOfPeriod } from '../../../shared/platform/formats/period.js';
import {
  firstMomentAt,
  fixedZone,
  momentsAt,
  type TimeZone,
  timeZoneOf,
  utc,
} from '../../../shared/platform/formats/timeZone.js';

const anyMoment = fc.date({
  min: new Date('0002-01-01T00:00:00Z'),
  max: new Date('9998-12-31T00:00:00Z'),
  noInvalidDate: true,
});
const offsets = fc.integer({ min: -18 * 3600, max: 18 * 3600 }).map((seconds) => seconds * 1000);
const namespaces = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9:._-]{0,20}$/);

describe('The formats of the HTTP interface', () => {
  it('convert a date-time object back to the same second in every zone', () =>
    fc.assert(
      fc.property(anyMoment, offsets, (moment, offsetMs) => {
        const zone = fixedZone(offsetMs);
        const [back] = momentsOf(zone, formatDateTime(moment, zone));
        expect(back?.getTime()).to.equal(Math.floor(moment.getTime() / 1000) * 1000);
      }),
    ));

  it('convert a date to the start of the local day', () =>
    fc.assert(
      fc.property(anyMoment, offsets, (moment, offsetMs) => {
        const zone = fixedZone(offsetMs);
        const back = new Date(parseDate(formatDate(moment, zone))!.getTime() - offsetMs);
        const since = moment.getTime() - back.getTime();
        expect(since).to.be.at.least(0);
        expect(since).to.be.below(86_400_000);
        expect(formatDate(back, zone)).to.equal(formatDate(moment, zone));
      }),
    ));

  it('show a moment near midnight on the correct local day', () => {
    const moment = new Date('2026-12-31T23:30:00Z');
    expect(formatDateTime(moment, fixedZone(3_600_000))).to.deep.equal({ date: '01/01/2027', time: '00:30:00' });
    expect(formatDateTime(moment, fixedZone(-3_600_000))).to.deep.equal({ date: '31/12/2026', time: '22:30:00' });
  });

  it('keep a plain date, which has no zone, unchanged in both directions', () => {
    expect(formatPlainDate('1985-12-10')).to.equal('10/12/1985');
    fc.assert(
      fc.property(anyMoment, (moment) => {
        const stored = moment.toISOString().slice(0, 10);
        expect(parsePlainDate(formatPlainDate(stored))).to.equal(stored);
      }),
    );
  });

  const isoTimes: readonly (readonly [text: string, value: Date | object | undefined])[] = [
    ['2026-12-01', { date: '01/12/2026', time: '00:00:00' }],
    ['2026-12-01T20:00', { date: '01/12/2026', time: '20:00:00' }],
    ['2026-12-01T20:00:05.999', { date: '01/12/2026', time: '20:00:05' }],
    ['2026-12-01T20:00Z', new Date('2026-12-01T20:00:00Z')],
    ['2026-12-01T20:00:05.9-03:30', new Date('2026-12-01T23:30:05Z')],
    ['2026-12-01T00:00:00+01:00', new Date('2026-11-30T23:00:00Z')],
    ...[
      ...['2026-02-30', '2026-12-01T25:00', '2026-12-01T24:00', '20000-12-01', '2026-12-01T20:00+24:00', '2026-12-01Z'],
      ...['2026-12-01T20', '2026-12-01 20:00', '2026-12-01T20:00.5', '2026-12-01T20:60', '20261201', '', 'T20:00'],
    ].map((text): [string, undefined] => [text, undefined]),
  ];
  for (const [text, value] of isoTimes)
    it(`read "${text}" as ISO 8601: ${value ? JSON.stringify(value) : 'invalid'}`, () =>
      expect(parseIsoTime(text)).to.deep.equal(value));

  for (const text of [
    ...['31/02/2026', '29/02/2025', '1/2/2026', '2026-02-01', '01/13/2026', '00/01/2026', '01/01/0000'],
    ...['01/01/2026 ', '', '01/01/20261'],
  ])
    it(`reject the date '${text}'`, () => {
      expect(parsePlainDate(text)).to.equal(undefined);
      expect(parseDate(text)).to.equal(undefined);
    });

  for (const time of ['24:00:00', '12:60:00', '12:00', '1:00:00', '12:00:00.5'])
    it(`reject the time '${time}'`, () => expect(momentsOf(utc, { date: '01/01/2026', time })).to.deep.equal([]));

  it('write durations as minutes and seconds, with minutes above 59', () => {
    expect(formatDuration(187_000)).to.equal('3:07');
    expect(formatDuration(0)).to.equal('0:00');
    expect(formatDuration(59_600)).to.equal('1:00');
    expect(formatDuration(2 * 3_600_000 + 5_000)).to.equal('120:05');
  });

  it('convert prices to exact cents in both directions', () => {
    expect(formatPrice(1250)).to.equal('12,50');
    expect(formatPrice(5)).to.equal('0,05');
    expect(formatPrice(-5)).to.equal('-0,05');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e13 }), (cents) => {
        expect(parsePrice(formatPrice(cents))).to.equal(cents);
      }),
    );
  });

  it('read prices in common notations only', () => {
    expect(parsePrice('12')).to.equal(1200);
    expect(parsePrice('12,5')).to.equal(1250);
    expect(parsePrice('12.50')).to.equal(1250);
    for (const text of ['', ',50', '12,', '12,505', '-1', '1e3', '1.000,00', ' 1', '١٢', '9'.repeat(13)])
      expect(parsePrice(text), text).to.equal(undefined);
  });

  it('write percentages and gigabytes with two decimals after a comma', () => {
    expect(formatPercent(12.345)).to.equal('12,35');
    expect(formatPercent(0)).to.equal('0,00');
    expect(formatGigabytes(1.25 * 1024 ** 3)).to.equal('1,25');
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (percent) => {
        expect(formatPercent(percent)).to.match(/^\d+,\d{2}$/);
        expect(Number(formatPercent(percent).replace(',', '.'))).to.be.closeTo(percent, 0.00501);
      }),
    );
  });

  it('convert a content URN to its id in any configured namespace', () =>
    fc.assert(
      fc.property(namespaces, fc.uuid(), (namespace, id) => {
        expect(parseContentUrn(namespace, contentUrn(namespace, id))).to.equal(id);
      }),
    ));

  it('reject URNs of another namespace, kind or form', () => {
    const id = '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';
    for (const urn of [
      id,
      `urn:other:content:${id}`,
      `urn:video:box:${id}`,
      `urn:video:content:${id}x`,
      `urn:video:content:`,
      `xurn:video:content:${id}`,
    ])
      expect(parseContentUrn('video', urn), urn).to.equal(undefined);
    expect(isUuid(`${id}\n`)).to.equal(false);
  });
});

describe('The months of a time zone', () => {
  const list = (zone: string, first: string, last: string): string[] =>
    monthsOf(timeZoneOf(zone) ?? utc, new Date(first), new Date(last)).map(
      ({ name, start }) => `${name} ${start.toISOString().slice(0, 16)}`,
    );

  it('start at local midnight, from the month of the first moment to the month of the last', () => {
    expect(list('Europe/Rome', '2026-02-28T23:30:00Z', '2026-04-30T21:59:59Z')).to.deep.equal([
      '2026-03 2026-02-28T23:00',
      '2026-04 2026-03-31T22:00',
    ]);
    expect(list('-3600000', '2027-01-01T00:30:00Z', '2027-01-01T01:00:00Z')).to.deep.equal([
      '2026-12 2026-12-01T01:00',
      '2027-01 2027-01-01T01:00',
    ]);
  });
});

describe('periods', () => {
  const from = new Date('2026-01-31T10:00:00Z');

  it('end on the same day of a later month, or on its last day', () => {
    expect(endOfPeriod(from, 1, 'MONTHS')).to.deep.equal(new Date('2026-02-28T10:00:00Z'));
    expect(endOfPeriod(from, 2, 'YEARS')).to.deep.equal(new Date('2028-01-31T10:00:00Z'));
    expect(endOfPeriod(from, 30, 'DAYS')).to.deep.equal(new Date('2026-03-02T10:00:00Z'));
  });

  it('never end after the last supported date, even after many extensions', () => {
    for (const [longest, unit] of [
      [36_500, 'DAYS'],
      [1200, 'MONTHS'],
      [100, 'YEARS'],
    ] as const) {
      let end = from;
      for (let times = 0; times < 100; times += 1) end = endOfPeriod(end, longest, unit);
      expect(end).to.deep.equal(new Date('9999-12-31T00:00:00Z'));
    }
  });
});

function namedZone(text: string): TimeZone {
  const found = timeZoneOf(text);
  if (!found) throw new Error(`no time zone: ${text}`);
  return found;
}

const hour = 3_600_000;
const iso = (moments: readonly Date[]): string[] => moments.map((moment) => moment.toISOString());

describe('Time zones', () => {
  it('read an integer as a constant offset of up to 18 hours', () => {
    expect(namedZone('3600000').offsetAt(new Date())).to.equal(hour);
    expect(namedZone(' -12600000 ').offsetAt(new Date())).to.equal(-3.5 * hour);
    expect(namedZone('+0').id).to.equal('0');
    for (const text of ['64800001', '9999999999', '1.5', '', '+', 'x'.repeat(65)])
      expect(timeZoneOf(text)).to.equal(undefined);
  });

  it('read a name in any case and return the offset of a moment', () => {
    const rome = namedZone('europe/rome');
    expect(rome.id).to.equal('Europe/Rome');
    expect(rome.offsetAt(new Date('2026-07-01T00:00:00Z'))).to.equal(2 * hour);
    expect(rome.offsetAt(new Date('2026-12-01T00:00:00Z'))).to.equal(hour);
    expect(namedZone('Asia/Kathmandu').offsetAt(new Date())).to.equal(5.75 * hour);
    expect(namedZone('Etc/GMT+3').offsetAt(new Date())).to.equal(-3 * hour);
    for (const text of ['Europe/Atlantis', '../etc/passwd', 'Europe/Rome\n;', '%00'])
      expect(timeZoneOf(text)).to.equal(undefined);
  });

  it('change the offset at the exact second of a clock change', () => {
    const rome = namedZone('Europe/Rome');
    const change = Date.parse('2026-03-29T01:00:00Z');
    expect(rome.offsetAt(new Date(change - 1000))).to.equal(hour);
    expect(rome.offsetAt(new Date(change))).to.equal(2 * hour);
  });

  it('map a local time to one moment, to two in a repeated hour, and to none in a skipped hour', () => {
    const rome = namedZone('Europe/Rome');
    expect(iso(momentsAt(rome, Date.UTC(2026, 5, 1, 12)))).to.deep.equal(['2026-06-01T10:00:00.000Z']);
    const twice = iso(momentsOf(rome, { date: '25/10/2026', time: '02:30:00' }));
    expect(twice).to.deep.equal(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
    expect(momentsOf(rome, { date: '29/03/2026', time: '02:30:00' })).to.deep.equal([]);
    expect(momentsOf(rome, { date: '29/02/2026', time: '02:30:00' })).to.deep.equal([]);
  });

  it('map a skipped local time, including midnight, to the moment of the clock change', () => {
    expect(firstMomentAt(namedZone('Europe/Rome'), Date.UTC(2026, 2, 29, 2, 30)).toISOString()).to.equal(
      '2026-03-29T01:00:00.000Z',
    );
    // Clocks in Cairo go from 00:00 to 01:00.
    expect(firstMomentAt(namedZone('Africa/Cairo'), Date.UTC(2026, 3, 24)).toISOString()).to.equal(
      '2026-04-23T22:00:00.000Z',
    );
    expect(firstMomentAt(namedZone('Europe/Rome'), Date.UTC(2026, 9, 25, 2)).toISOString()).to.equal(
      '2026-10-25T00:00:00.000Z',
    );
  });
});
