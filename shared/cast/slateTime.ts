import { timeZoneOf } from '../platform/formats/timeZone.js';

/** A start that is further away is shown with its date. */
const farMilliseconds = 12 * 3_600_000;

/**
 * The start of a program in digits that need no language: `20:15`, and with its date where that is another day and more than
 * 12 hours later than `seen`. `zoneId`: of a `TimeZone`. Without one it is in UTC, and ends with `UTC`.
 */
export function slateTimeText(startsAt: Date, zoneId: string | null, seen: Date): string {
  const zone = zoneId === null ? undefined : timeZoneOf(zoneId);
  const local = (moment: Date): string =>
    new Date(moment.getTime() + (zone?.offsetAt(moment) ?? 0)).toISOString().slice(0, 16);
  const [day = '', minute = ''] = local(startsAt).split('T');
  const isFar = startsAt.getTime() - seen.getTime() > farMilliseconds && !local(seen).startsWith(day);
  return [...(isFar ? [day] : []), minute, ...(zone ? [] : ['UTC'])].join(' ');
}
