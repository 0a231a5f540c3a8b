/*
 * Follows a stream: plays it while the server says that it can be played, asks the server for its state, and opens it again
 * where it was lost. What to show and when to ask is decided by the page that follows.
 */
import { player, say, unsay, video, words } from './playerPage.js';
import { open, playOrMute, prepare } from './source.js';
import { preferencesOf } from './preferences.js';

/** A stream that has played for this long was no failure. */
const stableMilliseconds = 30_000;
/** The server is asked when what plays has stood still for this long. */
const stillImageIntervalMs = 10_000;

/** What the server has sent last. */
export let status = null;
let rules = null;
/** When the status came, by `performance.now()`. */
let receivedAt = 0;
let outcome = '';
/** Requests in a row with the same outcome. */
let attempts = 0;
let timer = 0;
let isOpen = false;
let openedAt = 0;
let losses = 0;
let lastPosition = 0;
let hasStopped = false;
let stalledSince = 0;
let isOffline = false;

/**
 * To be called once; `begin` starts to play and to ask. `kind`: see `prepare`. `status` is what the page came with, with the
 * time of the server as `now`. `viewOf(status)` is `play` where there is something to play at `status.address`.
 * `pauseBefore({status, at, attempts, random, isLost})` gives the milliseconds until the next request, or null for none.
 * `query` gives what is added to the address of requests. `show` is called when the status has changed, `opened` when a
 * stream is opened. `startsAlone`: a stream that begins while the page is open plays without a click.
 */
export function follow(given) {
  rules = { query: () => '', opened: () => {}, ...given };
  status = given.status;
  outcome = rules.viewOf(status);
  receivedAt = performance.getEntriesByType('navigation')[0]?.responseStart ?? 0;
  const hls = prepare({ kind: rules.kind, lost });
  video.addEventListener('ended', lost);
  setInterval(reloadWhenStalled, 1000);
  rules.show();
  return hls;
}

export function begin() {
  if (canPlay()) openStream();
  if (canPlay() && preferencesOf(location.search).autoplay) playOrMute();
  schedule();
}

/** The time of the server: that of the status, and what has passed since it came. The viewer's clock may be wrong. */
export const now = () => status.now + performance.now() - receivedAt;

/** The next requests come as early as after a change. */
export function askAtOnce() {
  attempts = 0;
  return ask();
}

export async function ask() {
  clearTimeout(timer);
  try {
    const response = await fetch(player.dataset.renew + rules.query());
    // What is shown was deleted: the reloaded page shows the message.
    if (response.status === 404) return location.reload();
    if (!response.ok) throw new Error(String(response.status));
    take((await response.json()).status);
    return schedule();
  } catch {
    count('failed');
    if (canPlay() && (!isOpen || hasStopped)) showOffline();
    return schedule(true);
  }
}

const canPlay = () => rules.viewOf(status) === 'play';

function schedule(failed = false) {
  clearTimeout(timer);
  const isLost = canPlay() && !isOpen;
  const pause = rules.pauseBefore({
    status: failed ? null : status,
    at: now(),
    attempts: isLost && !failed ? losses : attempts,
    random: Math.random(),
    isLost,
  });
  if (pause !== null) timer = setTimeout(ask, pause);
}

function count(next) {
  attempts = next === outcome ? attempts + 1 : 0;
  outcome = next;
}

function take(next) {
  count(rules.viewOf(next));
  status = next;
  receivedAt = performance.now();
  hideOffline();
  rules.show();
  if (!canPlay()) isOpen = false;
  if (!canPlay() || isOpen) return;
  openStream();
  if (rules.startsAlone) playOrMute();
}

/** Does not play yet: a viewer who opens the page while there is something to play starts it, as a video. */
function openStream() {
  isOpen = true;
  openedAt = performance.now();
  rules.opened();
  open(status.address);
}

/** The stream has ended, or its address is not valid any more, or it cannot be loaded. */
function lost() {
  if (!isOpen) return true;
  isOpen = false;
  losses = performance.now() - openedAt > stableMilliseconds ? 0 : losses + 1;
  schedule();
  return true;
}

/** A stream may stand still without an end or an error: while its encoder is away, or when it is over. */
function reloadWhenStalled() {
  hasStopped = isOpen && video.currentTime === lastPosition && (!video.paused || video.ended);
  if (video.currentTime !== lastPosition) hideOffline();
  lastPosition = video.currentTime;
  if (!hasStopped) stalledSince = performance.now();
  if (performance.now() - stalledSince < stillImageIntervalMs) return;
  stalledSince = performance.now();
  void ask();
}

function showOffline() {
  isOffline = true;
  say(words.offline);
}

function hideOffline() {
  if (isOffline) unsay();
  isOffline = false;
}
