/*
 * Decides what the page of a live event shows, and the time of the next request. Pure functions: no clock, no page, no random
 * numbers. Times are milliseconds since 1970 unless their name says otherwise. A status is the response of
 * /embed/live (`LiveStatus` in api/pages/embedLive.ts).
 */
import { afterFailure, afterLoss, backoff, spread, whileAwaited } from './pauses.js';

/** The view for a status: `countdown`, `pay`, `play`, `waiting`, `over`, or `message`. */
export function viewOf({ phase, result }) {
  if (phase === 'OVER') return 'over';
  if (result === 'PLAY') return 'play';
  if (result === 'PAYMENT_REQUIRED') return 'pay';
  if (phase === 'BEFORE') return 'countdown';
  return phase === 'WAITING' ? 'waiting' : 'message';
}

const maxPause = 60_000;

/**
 * Milliseconds until the next request; null: none. `status` is null if the last request has failed. `attempts` counts
 * consecutive requests with the same outcome. `isLost`: the playback has ended or cannot be loaded. `isAwaited`: a
 * payment of the viewer may still be confirmed.
 */
export function pauseBefore({ status, at, attempts, random, isAwaited = false, isLost = false }) {
  const after = (pause) => backoff(pause, { attempts, random });
  if (status === null) return after(afterFailure);
  if (isLost) return after(afterLoss);
  if (isAwaited) return after(whileAwaited);
  const untilStart = status.startsAt - at;
  switch (viewOf(status)) {
    case 'countdown':
    case 'pay':
      // The times of the event may change while viewers wait.
      return untilStart > 0 && untilStart < maxPause ? untilStart + 2000 * random : spread(maxPause, random);
    case 'waiting':
      return after({ first: 2000, max: 15_000 });
    case 'over':
      // A recording may be published, or the channel's next event may start.
      return after({ first: maxPause, max: 15 * 60_000 });
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

/** A delay behind the broadcast as text: `-0:35`, `-1:02:03`. */
export function clockBehind(seconds) {
  const total = Math.max(0, Math.floor(seconds));
  const two = (part) => String(part).padStart(2, '0');
  const [hours, minutes] = [Math.floor(total / 3600), Math.floor(total / 60) % 60];
  return `-${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(total % 60)}`;
}

/** The start of the rewind range while `edge` is on air; `edge` itself if the status has no rewind. */
export function firstMoment({ rewindFrom, rewindSeconds }, edge) {
  return rewindFrom === null ? edge : Math.max(rewindFrom, edge - rewindSeconds * 1000);
}

/** The target time of a seek from `position` to `target`, both in seconds, while the time `playing` is shown. */
export function momentOf({ target, position, playing }) {
  return playing + (target - position) * 1000;
}

/**
 * A playlist may start at 1.8e-15 s. Browsers round positions to microseconds, and hls.js waits indefinitely at a position before
 * the first segment.
 */
const roundingSeconds = 0.001;

/**
 * The position of a time in a playlist, in seconds; the first position if the time is before the playlist. `fragments`: objects of
 * hls.js, with `start` and `duration` in seconds.
 */
export function positionOf(fragments, moment) {
  const fragment = fragments.findLast(({ programDateTime }) => programDateTime <= moment) ?? fragments[0];
  const inside = (moment - fragment.programDateTime) / 1000;
  return fragment.start + Math.min(Math.max(roundingSeconds, inside), fragment.duration);
}
