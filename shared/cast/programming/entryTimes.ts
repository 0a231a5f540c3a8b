import type { WireDateTime } from '../../platform/formats/format.js';
import { momentsOf, type TimeZone } from '../../platform/formats/timeZone.js';
import type { Times } from './programming.js';

/** Start and end of a program as a request sends them. */
export interface SentTimes {
  readonly startDate: WireDateTime;
  readonly endDate: WireDateTime;
}

/** The same as moments; undefined where the local time does not exist, because clocks go forward over it. */
export interface ReadTimes {
  readonly startsAt: Date | undefined;
  readonly endsAt: Date | undefined;
}

/**
 * The moments of local times. In the hour that clocks repeat, a time that the stored program has is that of the program, so
 * that a day can be sent back as it was read; otherwise it is the first one that is not before the program before
 * (`previousEnd`).
 */
export function readTimes(
  zone: TimeZone,
  sent: SentTimes,
  present: Times | undefined,
  previousEnd: Date | undefined,
): ReadTimes {
  const startsAt = choose(
    momentsOf(zone, sent.startDate),
    present?.startsAt,
    (moment) => moment >= (previousEnd ?? moment),
  );
  const endsAt = choose(momentsOf(zone, sent.endDate), present?.endsAt, (moment) => moment > (startsAt ?? 0));
  return { startsAt, endsAt };
}

/** The stored moment if it is one of these, else the first one that fits, else the last one. */
function choose(moments: readonly Date[], stored: Date | undefined, fits: (moment: Date) => boolean): Date | undefined {
  const same = moments.find((moment) => moment.getTime() === stored?.getTime());
  return same ?? moments.find(fits) ?? moments.at(-1);
}
