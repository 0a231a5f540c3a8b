/*
 * What the page of a live event shows, and when it asks the server again. Pure functions: no clock, no page, no random
 * numbers. Times are milliseconds since 1970 unless their name says otherwise. A status is the response of
 * /embed/live (`LiveStatus` in api/pages/embedLive.ts).
 */
import { afterFailure, afterLoss, growing, spread, whileAwaited } from './pauses.js';

/** What the page shows of a status: `countdown`, `pay`, `play`, `waiting`, `over`, or `message`. */
export function viewOf({ phase, result }) {
  if (phase === 'OVER') return 'over';
  if (result === 'PLAY') return 'play';
  if (result === 'PAYMENT_REQUIRED') return 'pay';
  if (phase === 'BEFORE') return 'countdown';
  return phase === 'WAITING' ? 'waiting' : 'message';
}

const maxPause = 60_000;

/**
 * Milliseconds until the next request; null: none. `status` is null where the last request has failed. `attempts` counts
 * requests in a row with the same outcome. `isLost`: the playback has ended or cannot be loaded. `isAwaited`: a
 * payment of the viewer may still be confirmed.
 */
export function pauseBefore({ status, at, attempts, random, isAwaited = false, isLost = false }) {
  const after = (pause) => growing(pause, { attempts, random });
  if (status === null) return after(afterFailure);
  if (isLost) return after(afterLoss);
  if (isAwaited) return after(whileAwaited);
  const untilStart = status.startsAt - at;
  switch (viewOf(status)) {
    case 'countdown':
    case 'pay':
      // The time of an event may be changed while viewers wait.
      return untilStart > 0 && untilStart < maxPause ? untilStart + 2000 * random : spread(maxPause, random);
    case 'waiting':
      return after({ first: 2000, longest: 15_000 });
    case 'over':
      // A recording may be published, and a channel has other events.
      return after({ first: maxPause, longest: 15 * 60_000 });
    case 'message':
      return spread(maxPause, random);
    default:
      return null;
  }
}

/** The parts of a countdown. The last second is shown as 0:00:01, so that it ends at zero. */
export function countdownOf(milliseconds) {
  const seconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const two = (part) => String(part).padStart(2, '0');
  const clock = [Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60, seconds % 60].map(two).join(':');
  return { days: Math.floor(seconds / 86_400), clock };
}

/** How far behind the broadcast something is: `-0:35`, `-1:02:03`. */
export function clockBehind(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const two = (part) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return `-${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(whole % 60)}`;
}

/** The first moment that can be seen when `edge` is on air, by a status; `edge` itself if the status says none. */
export function firstMoment({ rewindFrom, rewindSeconds }, edge) {
  return rewindFrom === null ? edge : Math.max(rewindFrom, edge - rewindSeconds * 1000);
}

/** The moment that a seek from `position` to `target` leads to, both in seconds, while `playing` is shown. */
export function momentOf({ target, position, playing }) {
  return playing + (target - position) * 1000;
}

/**
 * A list may begin at 1.8e-15 s. Browsers round a position to microseconds, and hls.js waits for ever at one that lies before the
 * first segment.
 */
const roundingSeconds = 0.001;

/**
 * The position of a moment in a playlist, in seconds; its first position where the moment is before it. `fragments` are
 * those of hls.js, with `start` and `duration` in seconds.
 */
export function positionOf(fragments, moment) {
  const fragment = fragments.findLast(({ programDateTime }) => programDateTime <= moment) ?? fragments[0];
  const inside = (moment - fragment.programDateTime) / 1000;
  return fragment.start + Math.min(Math.max(roundingSeconds, inside), fragment.duration);
}
