/*
 * Decides what the page of a cast channel shows, and the time of the next request. Pure functions: no clock, no page, no random
 * numbers. Times are milliseconds since 1970. A status is the response of /embed/cast (`CastStatus` in
 * api/pages/embedCast.ts).
 */
import { afterFailure, afterLoss, backoff, spread } from './pauses.js';

/** `play`, or `message` if the channel cannot be played. */
export function viewOf({ result }) {
  return result === 'PLAY' ? 'play' : 'message';
}

/**
 * The program that airs at a time, and the next one; null if there is none. The programs of a status are in chronological order,
 * without breaks.
 */
export function airing({ programs }, at) {
  return {
    current: programs.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt) ?? null,
    next: programs.find(({ startsAt }) => startsAt > at) ?? null,
  };
}

/** The aired share of a program, from 0 to 1. */
export function progressOf({ startsAt, endsAt }, at) {
  return Math.min(1, Math.max(0, (at - startsAt) / (endsAt - startsAt)));
}

const dayMilliseconds = 86_400_000;

/**
 * The time of day in a language: `20:15`. With seconds if they are not zero, with the weekday if it is another day than `now`, and
 * with the date instead if it is about a week away. `timeZone` is by default the viewer's.
 */
export function timeOf(at, { now, language, timeZone }) {
  const text = (options, time = at) => new Intl.DateTimeFormat(language, { timeZone, ...options }).format(time);
  const clock = text({ timeStyle: at % 60_000 === 0 ? 'short' : 'medium' });
  if (text({ dateStyle: 'short' }) === text({ dateStyle: 'short' }, now)) return clock;
  const isNear = Math.abs(at - now) < 6 * dayMilliseconds;
  return `${text(isNear ? { weekday: 'short' } : { day: 'numeric', month: 'short' })} ${clock}`;
}

/**
 * Milliseconds until the next request. `status` is null if the last request has failed; `isLost`: the stream cannot be loaded any
 * more. The programs of the next `validSeconds` are frozen, so a status is valid for this time.
 */
export function pauseBefore({ status, attempts, random, isLost = false }) {
  if (status === null) return backoff(afterFailure, { attempts, random });
  if (isLost) return backoff(afterLoss, { attempts, random });
  if (status.result === 'MESSAGE') return backoff({ first: 3000, max: 60_000 }, { attempts, random });
  if (viewOf(status) === 'message') return spread(60_000, random);
  return status.validSeconds * 1000 * (0.5 + 0.3 * random);
}
