import { expect } from 'chai';
import { endOfPeriod } from '../../../shared/platform/formats/period.js';

describe('periods', () => {
  const from = new Date('2026-01-31T10:00:00Z');

  it('end on the same day of a later month, or on its last day', () => {
    expect(endOfPeriod(from, 1, 'MONTHS')).to.deep.equal(new Date('2026-02-28T10:00:00Z'));
    expect(endOfPeriod(from, 2, 'YEARS')).to.deep.equal(new Date('2028-01-31T10:00:00Z'));
    expect(endOfPeriod(from, 30, 'DAYS')).to.deep.equal(new Date('2026-03-02T10:00:00Z'));
  });

  it('end at the latest on the last supported date, however often they are extended', () => {
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
