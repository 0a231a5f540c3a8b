import type { FieldError } from '../platform/errors.js';
import type { TimeZone } from '../platform/formats/timeZone.js';

/** Start (inclusive) and end (exclusive) of an event. */
export interface EventTimes {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const dayMs = 24 * 60 * 60_000;
/** `docs/contract.md#choices-live` */
const maxMs = dayMs;

/** The errors of an event's times: the end is not after the start, or more than 24 hours after it. */
export function errorsOfTimes({ startsAt, endsAt }: EventTimes): FieldError[] {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  const wrongEnd = (key: string): FieldError[] => [{ field: 'endDate', code: key.slice('live.'.length), key }];
  if (lengthMs <= 0) return wrongEnd('live.endBeforeStart');
  return lengthMs > maxMs ? wrongEnd('live.tooLong') : [];
}

/**
 * The times after an update. Requests and responses have whole seconds: a time that differs from the stored time by
 * less than a second counts as unchanged.
 */
export function changedTimes(present: EventTimes, sent: EventTimes): EventTimes {
  return {
    startsAt: isSameSecond(present.startsAt, sent.startsAt) ? present.startsAt : sent.startsAt,
    endsAt: isSameSecond(present.endsAt, sent.endsAt) ? present.endsAt : sent.endsAt,
  };
}

function isSameSecond(one: Date, other: Date): boolean {
  return Math.abs(one.getTime() - other.getTime()) < 1000;
}

/**
 * Whether a sold event stays on the day for which it was bought, in the caller's time zone. Each change is compared with the
 * bought times, so that changes in different time zones do not add up. Bought times a day or more away from the current start
 * are ignored: these sales were made before the event, which was over and never on air, was moved.
 */
export function isOnDaysOf(
  bought: readonly Date[],
  { present, next, zone }: { readonly present: EventTimes; readonly next: EventTimes; readonly zone: TimeZone },
): boolean {
  const near = bought.filter((start) => Math.abs(start.getTime() - present.startsAt.getTime()) < dayMs);
  const days = near.length > 0 ? near : [present.startsAt];
  return days.every((start) => isSameDay(start, next.startsAt, zone));
}

function isSameDay(one: Date, other: Date, zone: TimeZone): boolean {
  const dayOf = (moment: Date): number => Math.floor((moment.getTime() + zone.offsetAt(moment)) / dayMs);
  return dayOf(one) === dayOf(other);
}
