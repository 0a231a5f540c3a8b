import { expect } from 'chai';
import fc from 'fast-check';
import { priceOf } from '../../../shared/license/license.service.js';
import { placePeriod, renewalOf, type PaidPeriod } from '../../../shared/license/periods.js';

const dayMs = 86_400_000;
const day = (text: string): Date => new Date(`${text}T10:00:00.000Z`);
const period = (planId: number, startsAt: Date, endsAt: Date): PaidPeriod => ({
  id: `${planId}-${startsAt.toISOString()}`,
  planId,
  priceCents: planId * 1000,
  startsAt,
  endsAt,
});

/** The periods after the purchase, in chronological order; one of them may be split in two. */
function after(ahead: readonly PaidPeriod[], planId: number, months: number, now: Date): PaidPeriod[] {
  const { startsAt, endsAt, postponed } = placePeriod(ahead, { priceCents: planId * 1000, months }, now);
  const kept = ahead
    .filter(({ startsAt: began }) => began < startsAt)
    .map((each) => ({ ...each, endsAt: each.endsAt < startsAt ? each.endsAt : startsAt }));
  return [...kept, period(planId, startsAt, endsAt), ...postponed];
}

describe('License periods', () => {
  it('begin now and last a number of calendar months', () => {
    expect(placePeriod([], { priceCents: 1000, months: 1 }, day('2026-01-31'))).to.deep.equal({
      startsAt: day('2026-01-31'),
      endsAt: day('2026-02-28'),
      postponed: [],
    });
  });

  it('of the same plan follow each other', () => {
    const running = period(2, day('2026-01-05'), day('2026-02-05'));
    expect(placePeriod([running], { priceCents: 2000, months: 3 }, day('2026-01-10'))).to.deep.equal({
      startsAt: day('2026-02-05'),
      endsAt: day('2026-05-05'),
      postponed: [],
    });
  });

  it('of a more expensive plan begin at once; the remainder of the cheaper plan follows', () => {
    const running = period(2, day('2026-01-05'), day('2026-02-05'));
    const { startsAt, endsAt, postponed } = placePeriod([running], { priceCents: 5000, months: 1 }, day('2026-01-15'));
    expect([startsAt, endsAt]).to.deep.equal([day('2026-01-15'), day('2026-02-15')]);
    expect(postponed).to.deep.equal([{ ...running, startsAt: day('2026-02-15'), endsAt: day('2026-03-08') }]);
  });

  it('of a cheaper plan begin after the more expensive one', () => {
    const running = period(5, day('2026-01-05'), day('2026-02-05'));
    const { startsAt, postponed } = placePeriod([running], { priceCents: 1000, months: 1 }, day('2026-01-15'));
    expect([startsAt, postponed]).to.deep.equal([day('2026-02-05'), []]);
  });

  it('have no gap or overlap, lose no paid time, and run the most expensive plan first for any purchases', () => {
    const purchases = fc.array(
      fc.record({
        planId: fc.integer({ min: 2, max: 5 }),
        months: fc.constantFrom(1, 3, 6, 12),
        waitDays: fc.double({ min: 0, max: 90, noNaN: true }),
      }),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(purchases, (bought) => {
        let now = day('2026-01-31');
        let ahead: PaidPeriod[] = [];
        for (const { planId, months, waitDays } of bought) {
          now = new Date(now.getTime() + Math.round(waitDays * dayMs));
          ahead = ahead.filter(({ endsAt }) => endsAt > now);
          const before = lengths(ahead, now);
          ahead = after(ahead, planId, months, now);
          const remaining = lengths(ahead, now);
          for (const [plan, milliseconds] of before)
            expect((remaining.get(plan) ?? 0) - (plan === planId ? 28 * dayMs : 0)).to.be.at.least(milliseconds);
          const future = ahead.filter(({ endsAt }) => endsAt > now);
          expect(future[0]?.startsAt.getTime()).to.be.at.most(now.getTime());
          for (const [index, each] of future.slice(1).entries()) {
            expect(each.startsAt).to.deep.equal(future[index]?.endsAt);
            expect(each.priceCents).to.be.at.most(future[index]?.priceCents ?? 0);
          }
        }
      }),
      { numRuns: 200 },
    );
  });
});

/** The remaining time of each plan. */
function lengths(periods: readonly PaidPeriod[], now: Date): Map<number, number> {
  const sums = new Map<number, number>();
  for (const { planId, startsAt, endsAt } of periods) {
    const ahead = Math.max(0, endsAt.getTime() - Math.max(startsAt.getTime(), now.getTime()));
    sums.set(planId, (sums.get(planId) ?? 0) + ahead);
  }
  return sums;
}

describe('Renewals', () => {
  const cases: readonly (readonly [string, string, string, string, number])[] = [
    ['2026-01-05', '2026-02-05', '2026-01-05', '2026-02-05', 0],
    ['2026-01-05', '2026-04-05', '2026-01-05', '2026-02-05', 2],
    ['2026-01-05', '2026-04-05', '2026-02-04', '2026-02-05', 2],
    ['2026-01-05', '2026-04-05', '2026-02-05', '2026-03-05', 1],
    ['2026-01-05', '2026-04-05', '2026-04-04', '2026-04-05', 0],
    ['2026-01-31', '2026-04-30', '2026-02-01', '2026-02-28', 2],
    ['2026-01-31', '2027-01-31', '2026-01-31', '2026-02-28', 11],
    ['2026-01-05', '2026-01-20', '2026-01-06', '2026-01-20', 0],
    ['2026-01-05', '2026-02-20', '2026-01-06', '2026-02-05', 1],
  ];
  for (const [startsAt, expiresAt, now, renewsAt, availableRenews] of cases)
    it(`of ${startsAt} to ${expiresAt} are due on ${renewsAt} as of ${now}, with ${availableRenews} more`, () => {
      const expected = { renewsAt: day(renewsAt), availableRenews };
      expect(renewalOf(day(startsAt), day(expiresAt), day(now))).to.deep.equal(expected);
    });
});

it('License prices have a discount for several months', () => {
  const prices = ([1, 3, 6, 12] as const).map((months) => priceOf({ priceCents: 1000 }, months));
  expect(prices).to.deep.equal([1000, 2700, 4800, 8400]);
});
