import { endOfPeriod } from '../platform/formats/period.js';

/** A period for which a plan is paid. */
export interface PaidPeriod {
  readonly id: string;
  readonly planId: number;
  /** Price of one month of the plan: the more expensive plan runs first. */
  readonly priceCents: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** The times of newly paid months among the periods that are paid already. */
export interface PeriodPlacement {
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** Periods that run later than before, with their new times. One that runs now continues after the new one. */
  readonly postponed: readonly PaidPeriod[];
}

/**
 * The times of months of a plan that were just paid. `ahead` are the periods that have not ended, in the order in which
 * they run. The more expensive plan runs first; of equal plans the one that was paid first. Cheaper periods run later and
 * keep their length.
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

/** The periods that are left when some are removed: later ones begin earlier and keep their length. */
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

/** When a paid plan renews, and how often it still will. */
export interface Renewal {
  /** The end of the current month of the plan, counted from the beginning of its period. */
  readonly renewsAt: Date;
  /** Months that are paid after it; a part of a month counts as one. */
  readonly availableRenews: number;
}

/** Renewal of a plan that is paid until `expiresAt`, in a period that began at `startsAt`. */
export function renewalOf(startsAt: Date, expiresAt: Date, now: Date): Renewal {
  const monthEnd = (month: number): Date => endOfPeriod(startsAt, month, 'MONTHS');
  let current = 1;
  while (monthEnd(current) <= now) current += 1;
  let availableRenews = 0;
  while (monthEnd(current + availableRenews) < expiresAt) availableRenews += 1;
  const end = monthEnd(current);
  return { renewsAt: end < expiresAt ? end : expiresAt, availableRenews };
}
