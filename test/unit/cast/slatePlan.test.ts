import { expect } from 'chai';
import { type SlateProgram, slatesFor, slateTimeText, type RequestedSlate } from '../../../shared/cast/slatePlan.js';

const now = new Date('2026-11-22T20:00:00Z');
const channel = { name: 'Harbour', thumbnailId: null, timeZone: 'Europe/Rome' };

function at(minutes: number): Date {
  return new Date(now.getTime() + minutes * 60_000);
}

function program(from: number, to: number, other: Partial<SlateProgram> = {}): SlateProgram {
  const given = { title: `from ${from}`, type: 'PRERECORDED', failureKey: null, offsetSeconds: 0 } as const;
  return { ...given, startsAt: at(from), endsAt: at(to), contentSeconds: (to - from) * 60, ...other };
}

describe('the slate plan of a channel', () => {
  const linesOf = (programs: readonly SlateProgram[]): (readonly string[])[] =>
    slatesFor(channel, programs, now).map(({ lines }) => lines);
  const withNext = (programs: readonly SlateProgram[]): readonly RequestedSlate[] =>
    slatesFor(channel, programs, now).slice(1);

  it('contains a slate with the channel name at any time', () => {
    const [slate, ...others] = slatesFor(channel, [], now);
    expect(others).to.be.empty;
    expect(slate).to.include({ showsUntil: null, thumbnailId: null });
    expect(slate?.lines).to.deep.equal(['Harbour']);
  });

  it('contains a slate for the next program from the start of the previous program', () => {
    const programs = [program(-30, 5), program(10, 20)];
    const [slate] = withNext(programs);
    expect(slate?.lines).to.deep.equal(['Harbour', '21:10', 'from 10']);
    expect([slate?.showsFrom, slate?.showsUntil]).to.deep.equal([at(-30), at(10)]);
  });

  it('contains no slate for the next program if contents fill the time before it', () => {
    expect(withNext([program(-30, 5), program(5, 10), program(10, 15)])).to.be.empty;
  });

  const before: readonly (readonly [string, Partial<SlateProgram>])[] = [
    ['is live', { type: 'LIVE', contentSeconds: null }],
    ['has failed', { failureKey: 'cast.failure' }],
    ['has no content that plays', { contentSeconds: null }],
    ['has a content that is shorter', { contentSeconds: 60 }],
    ['has a content that is shorter from its offset', { offsetSeconds: 60 }],
  ];
  for (const [what, other] of before)
    it(`contains a slate for the next program if the previous one ${what}`, () =>
      expect(linesOf([program(-1, 5, other), program(5, 10)])).to.deep.equal([
        ['Harbour'],
        ['Harbour', '21:05', 'from 5'],
      ]));

  it('announces the program after a break, not the break', () => {
    const programs = [
      program(-5, 1),
      program(1, 2, { type: 'BREAK' }),
      program(2, 3, { type: 'BREAK' }),
      program(3, 9),
    ];
    expect(withNext(programs).map(({ lines }) => lines[2])).to.deep.equal(['from 3']);
  });

  it('contains only the slates of the next fifteen minutes', () => {
    const programs = [10, 14, 16, 18].map((minute) => program(minute, minute + 1));
    expect(withNext(programs).map(({ lines }) => lines[2])).to.deep.equal(['from 10', 'from 14', 'from 16']);
  });

  it('shares one slate for equal texts and has separate ones for different texts, thumbnails or names', () => {
    const same = [program(1, 1.1), program(1.2, 1.3), program(1.4, 1.5)].map((one) => ({ ...one, title: 'News' }));
    const slates = withNext(same);
    expect(slates).to.have.length(1);
    expect(slates[0]?.showsUntil).to.deep.equal(at(1.4));
    const variants = [
      channel,
      { ...channel, name: 'Other' },
      { ...channel, thumbnailId: 'id' },
      { ...channel, timeZone: null },
    ];
    const digests = variants.map((one) =>
      slatesFor(one, same, now)
        .map(({ digest }) => digest)
        .join(),
    );
    expect(new Set(digests).size).to.equal(variants.length);
  });
});

describe('times on a slate', () => {
  const start = new Date('2026-11-23T09:05:30Z');
  const cases: readonly (readonly [zone: string | null, seen: string, text: string])[] = [
    ['Europe/Rome', '2026-11-23T08:00:00Z', '10:05'],
    ['Europe/Rome', '2026-11-22T22:00:00Z', '10:05'],
    ['Europe/Rome', '2026-11-22T20:00:00Z', '2026-11-23 10:05'],
    ['-18000000', '2026-11-23T08:00:00Z', '04:05'],
    ['Asia/Kolkata', '2026-11-23T08:00:00Z', '14:35'],
    [null, '2026-11-23T08:00:00Z', '09:05 UTC'],
    ['Nowhere/At_all', '2026-11-20T08:00:00Z', '2026-11-23 09:05 UTC'],
  ];
  for (const [zone, seen, text] of cases)
    it(`are ${text} in ${zone}, seen at ${seen}`, () =>
      expect(slateTimeText(start, zone, new Date(seen))).to.equal(text));
});
