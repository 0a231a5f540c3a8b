/*
 * What the page of a live event shows, and when it asks the server again. Pure functions: no clock, no page, no random
 * numbers. Times are milliseconds since 1970 unless their name says otherwise. A status is the response of
 * /embed/live (`LiveStatus` in api/pages/embedLive.ts).
 */

/** What the page shows of a status: `countdown`, `pay`, `play`, `waiting`, `over`, or `message`. */
export function viewOf({ phase, result }) {
  if (phase === 'OVER') return 'over';
  if (result === 'PLAY') return 'play';
  if (result === 'PAYMENT_REQUIRED') return 'pay';
  if (phase === 'BEFORE') return 'countdown';
  return phase === 'WAITING' ? 'waiting' : 'message';
}

/** The time of the server: that of the status, and what has passed since it came. The viewer's clock may be wrong. */
export function serverTime({ now }, millisecondsSince) {
  return now + millisecondsSince;
}

const longestPause = 60_000;

/**
 * Milliseconds until the next request; null: none. `status` is null where the last request has failed. `attempts` counts
 * requests in a row with the same outcome, `random` is from 0 to 1: viewers who opened the page at the same moment ask at
 * different ones. `isLost`: what was playing has ended or cannot be loaded. `isPaying`: the viewer went to the checkout.
 */
export function pauseBefore({ status, at, attempts, random, isPaying = false, isLost = false }) {
  const spread = (milliseconds) => milliseconds * (0.8 + 0.4 * random);
  const growing = (first, longest, factor = 1.5) => spread(Math.min(longest, first * factor ** Math.min(attempts, 50)));
  if (status === null) return growing(2000, 30_000);
  if (isLost) return growing(1000, 15_000);
  if (isPaying) return growing(3000, 15_000, 1.1);
  const untilStart = status.startsAt - at;
  switch (viewOf(status)) {
    case 'countdown':
    case 'pay':
      // The time of an event may be changed while viewers wait.
      return untilStart > 0 && untilStart < longestPause ? untilStart + 2000 * random : spread(longestPause);
    case 'waiting':
      return growing(2000, 15_000);
    case 'over':
      // A recording may be published, and a channel has other events.
      return growing(longestPause, 15 * 60_000);
    case 'message':
      return spread(longestPause);
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

const stepSeconds = 30;

/**
 * The moment that a seek to `target` leads to, if it goes back; null: it does not. `target`, `position` and `seekableStart`
 * are in seconds; `playingAt` is the moment of capture of what plays, null where it is not known. Requests for a position
 * before `seekableStart` come as that start, so they lead back by 30 s at least.
 */
export function rewindTo({ target, position, seekableStart, playingAt }) {
  if (playingAt === null || target >= position) return null;
  const isBeyondStart = target <= seekableStart;
  return playingAt - Math.max(position - target, isBeyondStart ? stepSeconds : 0) * 1000;
}

/**
 * The position of a moment in a playlist, in seconds; its first position where the moment is before it. `fragments` are
 * those of hls.js, with `start` and `duration` in seconds.
 */
export function positionOf(fragments, moment) {
  const fragment = fragments.findLast(({ programDateTime }) => programDateTime <= moment) ?? fragments[0];
  const inside = (moment - fragment.programDateTime) / 1000;
  return fragment.start + Math.min(Math.max(0, inside), fragment.duration);
}
