/*
 * What the page of a cast channel shows, and when it asks the server again. Pure functions: no clock, no page, no random
 * numbers. Times are milliseconds since 1970. A status is the response of /embed/cast (`CastStatus` in
 * api/pages/embedCast.ts).
 */
import { afterFailure, afterLoss, growing, spread } from './pauses.js';

/** `play`, or `message` where the channel cannot be played. */
export function viewOf({ result }) {
  return result === 'PLAY' ? 'play' : 'message';
}

/**
 * The program that airs at a time, and the one after it; null where there is none. Breaks are not among the programs of a
 * status, which are in the order of time.
 */
export function airing({ programs }, at) {
  return {
    current: programs.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt) ?? null,
    next: programs.find(({ startsAt }) => startsAt > at) ?? null,
  };
}

/** How much of a program has aired, from 0 to 1. */
export function progressOf({ startsAt, endsAt }, at) {
  return Math.min(1, Math.max(0, (at - startsAt) / (endsAt - startsAt)));
}

const dayMilliseconds = 86_400_000;

/**
 * The time of day, as usual in a language: `20:15`. With seconds where there are any, with the weekday where it is not the
 * day of `now`, and with the date where it is a week away. `timeZone` is that of the viewer unless given.
 */
export function timeOf(at, { now, language, timeZone }) {
  const text = (options, time = at) => new Intl.DateTimeFormat(language, { timeZone, ...options }).format(time);
  const clock = text({ timeStyle: at % 60_000 === 0 ? 'short' : 'medium' });
  if (text({ dateStyle: 'short' }) === text({ dateStyle: 'short' }, now)) return clock;
  const isNear = Math.abs(at - now) < 6 * dayMilliseconds;
  return `${text(isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' })} ${clock}`;
}

/**
 * Milliseconds until the next request. `status` is null where the last request has failed; `isLost`: what was playing cannot
 * be loaded. What airs within `validSeconds` does not change any more, so a status that is not older is right.
 */
export function pauseBefore({ status, attempts, random, isLost = false }) {
  if (status === null) return growing(afterFailure, { attempts, random });
  if (isLost) return growing(afterLoss, { attempts, random });
  if (status.result === 'MESSAGE') return growing({ first: 3000, longest: 60_000 }, { attempts, random });
  if (viewOf(status) === 'message') return spread(60_000, random);
  return status.validSeconds * 1000 * (0.5 + 0.3 * random);
}
