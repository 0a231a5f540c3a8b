import { expect } from 'chai';
import { zoneOf } from '../../../api/http/timezone.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';

describe('Time zone header', () => {
  const cases: readonly (readonly [string | string[] | undefined, number])[] = [
    ['3600000', 3_600_000],
    ['-12600000', -12_600_000],
    ['+0', 0],
    [' 7200000 ', 7_200_000],
    [['60000', '1'], 60_000],
    [String(18 * 3_600_000), 18 * 3_600_000],
    [String(18 * 3_600_000 + 1), 5],
    ['-64800001', 5],
    [undefined, 5],
    ['', 5],
    ['Europe/Rome', 3_600_000],
    [' europe/rome ', 3_600_000],
    ['America/New_York', -18_000_000],
    ['Europe/Atlantis', 5],
    ['+01:00', 5],
    ['3.6e6', 5],
    ['1.5', 5],
    ['9999999999999', 5],
    ['0x10', 5],
  ];
  for (const [header, expected] of cases) {
    it(`${JSON.stringify(header)} is ${expected === 5 ? 'the default' : expected}`, () => {
      expect(zoneOf(header, fixedZone(5)).offsetAt(new Date('2026-12-01T00:00:00Z'))).to.equal(expected);
    });
  }
});
