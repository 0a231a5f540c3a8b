import { expect } from 'chai';
import { monthsOf } from '../../../shared/platform/formats/months.js';
import { timeZoneOf, utc } from '../../../shared/platform/formats/timeZone.js';

describe('Months of a time zone', () => {
  const list = (zone: string, first: string, last: string): string[] =>
    monthsOf(timeZoneOf(zone) ?? utc, new Date(first), new Date(last)).map(
      ({ name, start }) => `${name} ${start.toISOString().slice(0, 16)}`,
    );

  it('begin at midnight with the offset of that day, from the month of the first moment to that of the last', () => {
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
