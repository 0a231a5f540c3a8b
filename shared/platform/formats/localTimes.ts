import { momentsOf, type SentTime } from './format.js';
import type { TimeZone } from './timeZone.js';

/** Start and end of a program or an event as a request sends them. */
export interface SentTimes {
  readonly startDate: SentTime;
  readonly endDate: SentTime;
}

/** The same as moments; undefined where the local time does not exist, because clocks go forward over it. */
export interface ReadTimes {
  readonly startsAt: Date | undefined;
  readonly endsAt: Date | undefined;
}

/**
 * The moments of local times; a time with an offset is a moment already. In the hour that clocks repeat, a time that is stored (`present`) stays what it is, so that an
 * object can be sent back as it was read; otherwise it is the first one that is not before `previousEnd`.
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

/** That of the stored moment, which may have parts of a second; else the first one that fits, else the last one. */
function choose(moments: readonly Date[], stored: Date | undefined, fits: (moment: Date) => boolean): Date | undefined {
  const same = stored && moments.find((moment) => Math.abs(moment.getTime() - stored.getTime()) < 1000);
  return same ?? moments.find(fits) ?? moments.at(-1);
}
