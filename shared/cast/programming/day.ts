import { formatDate, parseDate } from '../../platform/formats/format.js';
import { firstMomentAt, momentsAt, utc, type TimeZone } from '../../platform/formats/timeZone.js';

/*
 * Days of a channel: `docs/contract.md#choices-cast`. A day is a calendar day in the request's time zone, so it may last 23 or
 * 25 hours. A program belongs to the day in which it starts.
 */

/** A date without a time zone: its midnight as if it were UTC, in milliseconds. */
export type CivilDay = number;

export interface Day {
  readonly civil: CivilDay;
  /** Its first moment. */
  readonly from: Date;
  /** The first moment of the next day. */
  readonly until: Date;
}

const dayMs = 24 * 3_600_000;

/** Parses `yyyyMMdd` or `dd/MM/yyyy`, from 2000 to 2999. Undefined for other formats, and for dates that do not exist. */
export function parseCivilDay(text: string): CivilDay | undefined {
  const compact = /^(2\d{3})(\d{2})(\d{2})$/.exec(text);
  if (compact) return parseDate(`${compact[3]}/${compact[2]}/${compact[1]}`)?.getTime();
  return /\/2\d{3}$/.test(text) ? parseDate(text)?.getTime() : undefined;
}

/** dd/MM/yyyy */
export function formatCivilDay(civil: CivilDay): string {
  return formatDate(new Date(civil), utc);
}

export function dayOf(zone: TimeZone, civil: CivilDay): Day {
  return { civil, from: firstMomentAt(zone, civil), until: firstMomentAt(zone, civil + dayMs) };
}

/** Consecutive days. */
export function daysFrom(zone: TimeZone, first: CivilDay, count: number): Day[] {
  return Array.from({ length: count }, (_, number) => dayOf(zone, first + number * dayMs));
}

/** Whether a program that starts at a moment belongs to the day. */
export function startsIn({ from, until }: Day, startsAt: Date): boolean {
  return from <= startsAt && startsAt < until;
}

/** Groups programs by day. The days are consecutive; all programs start in them, and are in order of time. */
export function byDay<Program extends { readonly startsAt: Date }>(
  days: readonly Day[],
  programs: readonly Program[],
): { readonly day: Day; readonly programs: readonly Program[] }[] {
  const parts = days.map((day) => ({ day, programs: [] as Program[] }));
  let place = 0;
  for (const program of programs) {
    while (parts[place + 1] && !startsIn(parts[place]?.day as Day, program.startsAt)) place += 1;
    parts[place]?.programs.push(program);
  }
  return parts;
}

/**
 * The moment of another day with the same local time. If a forward change of the clocks skips that time, the moment of the change;
 * if the time occurs twice, the first occurrence.
 */
export function sameTimeOn(zone: TimeZone, moment: Date, source: Day, target: Day): Date {
  const timeOfDay = moment.getTime() + zone.offsetAt(moment) - source.civil;
  const local = target.civil + timeOfDay;
  return momentsAt(zone, local)[0] ?? firstMomentAt(zone, local);
}
