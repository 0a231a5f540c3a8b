import { ValidationError } from '../errors.js';

/** Units of a duration; `docs/contract.md#choices-bundles`. */
export const durationUnits = ['DAYS', 'MONTHS', 'YEARS'] as const;
export type DurationUnit = (typeof durationUnits)[number];

/** A hundred years, in each unit. */
export const maxDuration: Readonly<Record<DurationUnit, number>> = { DAYS: 36_500, MONTHS: 1200, YEARS: 100 };

/** Throws ValidationError if the duration exceeds a hundred years: also for a change of only the duration or only its unit. */
export function assertDuration(duration: number, unit: DurationUnit): void {
  const limit = maxDuration[unit];
  if (duration <= limit) return;
  throw new ValidationError([
    { field: 'duration', code: 'maximum', key: 'validation.maximum', values: { limit }, rejectedValue: duration },
  ]);
}

/** The last day that responses can represent. */
const lastMoment = Date.UTC(9999, 11, 31);

/**
 * The end of a period that begins at `from`, in UTC. A month or a year later is the same day of that month, or its last day if
 * the month is shorter: a month after 31 January is the last day of February. Never after 31/12/9999.
 */
export function endOfPeriod(from: Date, duration: number, unit: DurationUnit): Date {
  return new Date(Math.min(calendarEnd(from, duration, unit).getTime(), lastMoment));
}

function calendarEnd(from: Date, duration: number, unit: DurationUnit): Date {
  if (unit === 'DAYS') return new Date(from.getTime() + duration * 86_400_000);
  const months = unit === 'YEARS' ? duration * 12 : duration;
  const end = new Date(from);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return end;
}
