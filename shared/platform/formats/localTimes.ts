import { momentsOf, type SentTime } from './format.js';
import type { TimeZone } from './timeZone.js';

/** Start and end of a program or an event, as sent in a request. */
export interface SentTimes {
  readonly startDate: SentTime;
  readonly endDate: SentTime;
}

/** The same as instants; undefined if the local time does not exist, because clocks are set forward over it. */
export interface ReadTimes {
  readonly startsAt: Date | undefined;
  readonly endsAt: Date | undefined;
}

/**
 * Converts local times to instants; a time with an offset is an instant already. A local time may occur twice, when clocks are
 * set back: the stored instant (`present`) then stays the same, so that a client can send an object back as received. Otherwise
 * it is the first instant that is not before `previousEnd`.
 */
export function readTimes(
  zone: TimeZone,
  sent: SentTimes,
  present: { readonly startsAt: Date; readonly endsAt: Date } | undefined,
  previousEnd?: Date,
): ReadTimes {
  const startsAt = choose(
    momentsOf(zone, sent.startDate),
    present?.startsAt,
    (moment) => moment >= (previousEnd ?? moment),
  );
  const endsAt = choose(momentsOf(zone, sent.endDate), present?.endsAt, (moment) => moment > (startsAt ?? 0));
  return { startsAt, endsAt };
}

/**
 * The instant equal to the stored one, ignoring fractions of a second; otherwise the first one that fits, otherwise the last one.
 */
function choose(moments: readonly Date[], stored: Date | undefined, fits: (moment: Date) => boolean): Date | undefined {
  const same = stored && moments.find((moment) => Math.abs(moment.getTime() - stored.getTime()) < 1000);
  return same ?? moments.find(fits) ?? moments.at(-1);
}
