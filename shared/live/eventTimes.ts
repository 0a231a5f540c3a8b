import type { FieldError } from '../platform/errors.js';
import type { TimeZone } from '../platform/formats/timeZone.js';

/** Start and end of an event. It is on from `startsAt` until just before `endsAt`. */
export interface EventTimes {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

const dayMs = 24 * 60 * 60_000;
/** `docs/contract.md#choices-live` */
const maxMs = dayMs;

/** Why no event can have these times: the end is not after the start, or more than 24 hours after it. */
export function errorsOfTimes({ startsAt, endsAt }: EventTimes): FieldError[] {
  const lengthMs = endsAt.getTime() - startsAt.getTime();
  const wrongEnd = (key: string): FieldError[] => [{ field: 'endDate', code: key.slice('live.'.length), key }];
  if (lengthMs <= 0) return wrongEnd('live.endBeforeStart');
  return lengthMs > maxMs ? wrongEnd('live.tooLong') : [];
}

/**
 * The times of an update. Requests and responses have whole seconds: a moment that differs by less than a second is
 * the stored one, as its owner has read it in another time zone.
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
 * Whether a sold event stays on the day that its buyers have bought, in the caller's local time. Several changes in different
 * time zones do not move it further: each compares with what was bought. What is a day or more away from the present start was
 * bought before the event was over and was moved without having been on air; it does not count any more.
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
