import { formatDate } from './format.js';
import { firstMomentAt, type TimeZone } from './timeZone.js';

/** A month of a time zone. */
export interface Month {
  /** yyyy-MM */
  readonly name: string;
  readonly start: Date;
}

/** The months from one instant to another, in order. */
export function monthsOf(zone: TimeZone, first: Date, last: Date): Month[] {
  const [from, to] = [first, last].map((moment) => numberOf(zone, moment)) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const local = Date.UTC(1970, from + index);
    return { name: new Date(local).toISOString().slice(0, 7), start: firstMomentAt(zone, local) };
  });
}

/** Months since 1970. */
function numberOf(zone: TimeZone, moment: Date): number {
  const [, month = 0, year = 0] = formatDate(moment, zone).split('/').map(Number);
  return (year - 1970) * 12 + month - 1;
}
