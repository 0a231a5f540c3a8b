import { expect } from 'chai';
import { momentsOf } from '../../../shared/platform/formats/format.js';
import { firstMomentAt, momentsAt, timeZoneOf, type TimeZone } from '../../../shared/platform/formats/timeZone.js';

function zone(text: string): TimeZone {
  const found = timeZoneOf(text);
  if (!found) throw new Error(`no time zone: ${text}`);
  return found;
}

const hour = 3_600_000;
const iso = (moments: readonly Date[]): string[] => moments.map((moment) => moment.toISOString());

describe('Time zones', () => {
  it('an integer is a constant offset, up to 18 hours', () => {
    expect(zone('3600000').offsetAt(new Date())).to.equal(hour);
    expect(zone(' -12600000 ').offsetAt(new Date())).to.equal(-3.5 * hour);
    expect(zone('+0').id).to.equal('0');
    for (const text of ['64800001', '9999999999', '1.5', '', '+', 'x'.repeat(65)])
      expect(timeZoneOf(text)).to.equal(undefined);
  });

  it('a name is read in any case, and gives the offset of a moment', () => {
    const rome = zone('europe/rome');
    expect(rome.id).to.equal('Europe/Rome');
    expect(rome.offsetAt(new Date('2026-07-01T00:00:00Z'))).to.equal(2 * hour);
    expect(rome.offsetAt(new Date('2026-12-01T00:00:00Z'))).to.equal(hour);
    expect(zone('Asia/Kathmandu').offsetAt(new Date())).to.equal(5.75 * hour);
    expect(zone('Etc/GMT+3').offsetAt(new Date())).to.equal(-3 * hour);
    for (const text of ['Europe/Atlantis', '../etc/passwd', 'Europe/Rome\n;', '%00'])
      expect(timeZoneOf(text)).to.equal(undefined);
  });

  it('the offset changes at the second at which clocks change', () => {
    const rome = zone('Europe/Rome');
    const change = Date.parse('2026-03-29T01:00:00Z');
    expect(rome.offsetAt(new Date(change - 1000))).to.equal(hour);
    expect(rome.offsetAt(new Date(change))).to.equal(2 * hour);
  });

  it('a local time exists once, in the hour that clocks repeat twice, and in the hour that they skip never', () => {
    const rome = zone('Europe/Rome');
    expect(iso(momentsAt(rome, Date.UTC(2026, 5, 1, 12)))).to.deep.equal(['2026-06-01T10:00:00.000Z']);
    const twice = iso(momentsOf(rome, { date: '25/10/2026', time: '02:30:00' }));
    expect(twice).to.deep.equal(['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']);
    expect(momentsOf(rome, { date: '29/03/2026', time: '02:30:00' })).to.deep.equal([]);
    expect(momentsOf(rome, { date: '29/02/2026', time: '02:30:00' })).to.deep.equal([]);
  });

  it('the first moment of a time that is skipped is that of the change, also where midnight is skipped', () => {
    expect(firstMomentAt(zone('Europe/Rome'), Date.UTC(2026, 2, 29, 2, 30)).toISOString()).to.equal(
      '2026-03-29T01:00:00.000Z',
    );
    // Clocks in Cairo go from 00:00 to 01:00.
    expect(firstMomentAt(zone('Africa/Cairo'), Date.UTC(2026, 3, 24)).toISOString()).to.equal(
      '2026-04-23T22:00:00.000Z',
    );
    expect(firstMomentAt(zone('Europe/Rome'), Date.UTC(2026, 9, 25, 2)).toISOString()).to.equal(
      '2026-10-25T00:00:00.000Z',
    );
  });
});
