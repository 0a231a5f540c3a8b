import { expect } from 'chai';
import { changedTimes, errorsOfTimes, isOnDaysOf } from '../../../shared/live/eventTimes.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';

const at = (time: string) => new Date(`2026-11-22T${time}Z`);
const hourMs = 3_600_000;

describe('The times of live events', () => {
  it('end after the start and at most 24 hours later', () => {
    const codeOf = (startsAt: Date, endsAt: Date) => errorsOfTimes({ startsAt, endsAt }).map(({ code }) => code);
    const start = at('20:00:00');
    const after = (milliseconds: number) => new Date(start.getTime() + milliseconds);
    expect(codeOf(start, after(1))).to.deep.equal([]);
    expect(codeOf(start, after(24 * hourMs))).to.deep.equal([]);
    expect(codeOf(start, after(24 * hourMs + 1))).to.deep.equal(['tooLong']);
    expect(codeOf(start, start)).to.deep.equal(['endBeforeStart']);
    expect(codeOf(start, after(-1))).to.deep.equal(['endBeforeStart']);
  });

  it('keep the stored moment if a client sends it back in whole seconds', () => {
    const present = { startsAt: at('20:00:00.877'), endsAt: at('21:00:00.877') };
    expect(changedTimes(present, { startsAt: at('20:00:00'), endsAt: at('21:00:00') })).to.deep.equal(present);
    const moved = { startsAt: at('19:59:59'), endsAt: at('21:00:02') };
    expect(changedTimes(present, moved)).to.deep.equal(moved);
  });

  const timesFrom = (startsAt: Date) => ({ startsAt, endsAt: new Date(startsAt.getTime() + hourMs) });
  const isOnDay = (bought: readonly Date[], present: Date, next: Date, offsetMs: number) =>
    isOnDaysOf(bought, { present: timesFrom(present), next: timesFrom(next), zone: fixedZone(offsetMs) });

  it('have the day of the local time', () => {
    const midnight = new Date('2026-11-23T00:00:00Z');
    const isSameDay = (one: Date, other: Date, offsetMs: number) => isOnDay([], one, other, offsetMs);
    expect(isSameDay(at('23:59:59'), midnight, 0)).to.equal(false);
    expect(isSameDay(at('23:59:59'), midnight, hourMs)).to.equal(true);
    expect(isSameDay(at('00:00:00'), at('23:59:59'), 0)).to.equal(true);
    expect(isSameDay(at('00:00:00'), at('23:59:59'), -hourMs)).to.equal(false);
    expect(isSameDay(new Date(-1), new Date(0), 0), 'before and after 1970').to.equal(false);
  });

  it('of a sold event stay on the day of every start that buyers have paid for', () => {
    const [noon, next] = [at('12:00:00'), new Date('2026-11-23T11:00:00Z')];
    const evening = new Date('2026-11-23T20:00:00Z');
    expect(isOnDay([noon], next, evening, 0)).to.equal(false);
    expect(isOnDay([noon], next, at('23:00:00'), 0)).to.equal(true);
    expect(isOnDay([noon, next], next, at('23:00:00'), 0)).to.equal(false);
    expect(isOnDay([noon, next], next, at('23:00:00'), -12 * hourMs)).to.equal(true);
    // Buyers paid for a past day: the event was moved before it was on air.
    expect(isOnDay([noon], new Date('2026-11-23T12:00:00Z'), evening, 0)).to.equal(true);
  });
});
