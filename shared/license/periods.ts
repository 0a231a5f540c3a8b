import { endOfPeriod } from '../platform/formats/period.js';

/** A paid period of a plan. */
export interface PaidPeriod {
  readonly id: string;
  readonly planId: number;
  /** Price of one month of the plan; the more expensive plan runs first. */
  readonly priceCents: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The times of newly paid months among the existing paid periods. */
export interface PeriodPlacement {
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Periods moved to later times. A period that runs now continues after the new one. */
  readonly postponed: readonly PaidPeriod[];
}

/**
 * Places newly paid months. `ahead`: the periods that have not ended, in chronological order. The more expensive plan
 * runs first; of equally expensive plans, the one that was paid first. Cheaper periods move to later times and keep
 * their length.
 */
export function placePeriod(
  ahead: readonly PaidPeriod[],
  bought: { readonly priceCents: number; readonly months: number },
  now: Date,
): PeriodPlacement {
  const cheaper = ahead.findIndex(({ priceCents }) => priceCents < bought.priceCents);
  const first = cheaper < 0 ? ahead.length : cheaper;
  const startsAt = ahead[first - 1]?.endsAt ?? now;
  const endsAt = endOfPeriod(startsAt, bought.months, 'MONTHS');
  const later = (moment: Date): Date => new Date(moment.getTime() + endsAt.getTime() - startsAt.getTime());
  const postponed = ahead.slice(first).map((period) => ({
    ...period,
    startsAt: later(period.startsAt < startsAt ? startsAt : period.startsAt),
    endsAt: later(period.endsAt),
  }));
  return { startsAt, endsAt, postponed };
}

/** The remaining periods after some are removed: they begin earlier and keep their length. */
export function closePeriodGaps<Period extends PaidPeriod>(
  ahead: readonly Period[],
  isRemoved: (period: Period) => boolean,
  now: Date,
): Period[] {
  let free = now;
  return ahead
    .filter((period) => !isRemoved(period))
    .map((period) => {
      const startsAt = period.startsAt < now ? period.startsAt : free;
      free = new Date(startsAt.getTime() + period.endsAt.getTime() - period.startsAt.getTime());
      return { ...period, startsAt, endsAt: free };
    });
}

/** The next renewal of a plan and the number of renewals after it. */
export interface Renewal {
  /** The end of the plan's current month, counted from the start of its period. */
  readonly renewsAt: Date;
  /** Paid months after `renewsAt`; a partial month counts as one. */
  readonly availableRenews: number;
}

/** The renewal of a plan paid until `expiresAt`, in a period that began at `startsAt`. */
export function renewalOf(startsAt: Date, expiresAt: Date, now: Date): Renewal {
  const monthEnd = (month: number): Date => endOfPeriod(startsAt, month, 'MONTHS');
  let current = 1;
  while (monthEnd(current) <= now) current += 1;
  let availableRenews = 0;
  while (monthEnd(current + availableRenews) < expiresAt) availableRenews += 1;
  const end = monthEnd(current);
  return { renewsAt: end < expiresAt ? end : expiresAt, availableRenews };
}
