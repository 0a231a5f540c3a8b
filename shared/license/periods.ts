import { endOfPeriod } from '../platform/formats/period.js';

/** A stretch of time for which a plan is paid. */
export interface LicensePeriod {
  readonly id: string;
  readonly planId: number;
  /** Of a month of the plan: the dearer plan runs first. */
  readonly priceCents: number;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** Where a purchase goes among what is paid already. */
export interface Placement {
  readonly startsAt: Date;
  readonly endsAt: Date;
  /** What runs or waits and must wait longer: each with its new times. One that runs now goes on after the new one. */
  readonly postponed: readonly LicensePeriod[];
}

/**
 * Places months of a plan that were just paid. `ahead` is what has not ended, in the order in which it runs. The dearer
 * plan runs first, and of equal ones the one bought first; what is cheaper waits, and loses nothing of its length.
 */
export function place(
  ahead: readonly LicensePeriod[],
  bought: { readonly priceCents: number; readonly months: number },
  now: Date,
): Placement {
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

/** What runs or waits once some of it has gone: what comes after moves up, and loses nothing of its length. */
export function closeUp<Period extends LicensePeriod>(
  ahead: readonly Period[],
  isGone: (period: Period) => boolean,
  now: Date,
): Period[] {
  let free = now;
  return ahead
    .filter((period) => !isGone(period))
    .map((period) => {
      const startsAt = period.startsAt < now ? period.startsAt : free;
      free = new Date(startsAt.getTime() + period.endsAt.getTime() - period.startsAt.getTime());
      return { ...period, startsAt, endsAt: free };
    });
}

/** When a plan goes on by itself, and how often yet. */
export interface Renewal {
  /** The end of the present month of the plan, counted from where its period began. */
  readonly renewsAt: Date;
  /** Months that are paid beyond it, begun ones counted whole. */
  readonly availableRenews: number;
}

/** Of a plan that is paid until `expiresAt`, in a period that began at `startsAt`. */
export function renewalOf(startsAt: Date, expiresAt: Date, now: Date): Renewal {
  const monthEnd = (month: number): Date => endOfPeriod(startsAt, month, 'MONTHS');
  let present = 1;
  while (monthEnd(present) <= now) present += 1;
  let availableRenews = 0;
  while (monthEnd(present + availableRenews) < expiresAt) availableRenews += 1;
  const end = monthEnd(present);
  return { renewsAt: end < expiresAt ? end : expiresAt, availableRenews };
}
