/*
 * Follows a stream: polls its state from the server, plays it while it can be played, and reopens it after a loss. The page's
 * script selects the view and schedules the polls.
 */
import { player, say, unsay, video, words } from './playerPage.js';
import { open, playOrMute, prepare } from './source.js';
import { preferencesOf } from './preferences.js';

/** A stream that has played for this long resets the count of losses. */
const stableMilliseconds = 30_000;
/** The server is polled when the playback has stalled for this long. */
const stalledMilliseconds = 10_000;

/** The last status from the server. */
export let status = null;
let rules = null;
/** Time at which the status was received, by `performance.now()`. */
let receivedAt = 0;
let outcome = '';
/** Consecutive requests with the same outcome. */
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
 * Call it once; `begin` starts playback and polling. `kind`: see `prepare`. `status`: the status in the page, with the server's
 * time as `now`. `viewOf(status)` returns `play` if `status.address` can be played. `pauseBefore({status, at, attempts, random,
 * isLost})` returns the milliseconds until the next request, or null for none. `query` returns a suffix for the address of
 * requests. `show` is called when the status has changed, `opened` when a stream is opened. `startsAlone`: a stream that starts
 * while the page is open plays without a click.
 */
export function follow(options) {
  rules = { query: () => '', opened: () => {}, ...options };
  status = options.status;
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

/** The server's time, calculated from the status, because the viewer's clock may be wrong. */
export const now = () => status.now + performance.now() - receivedAt;

/** Also resets the pauses between requests. */
export function pollNow() {
  attempts = 0;
  return poll();
}

export async function poll() {
  clearTimeout(timer);
  try {
    const response = await fetch(player.dataset.renew + rules.query());
    // The item was deleted: the reloaded page shows the message.
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
  if (pause !== null) timer = setTimeout(poll, pause);
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

/** Does not start playback: if the stream is available when the page opens, the viewer starts it, as a video. */
function openStream() {
  isOpen = true;
  openedAt = performance.now();
  rules.opened();
  open(status.address);
}

/** Called when the stream has ended, its address has expired, or it cannot be loaded. */
function lost() {
  if (!isOpen) return true;
  isOpen = false;
  losses = performance.now() - openedAt > stableMilliseconds ? 0 : losses + 1;
  schedule();
  return true;
}

/** Detects a stream that stalls without an error: its encoder is disconnected, or it has ended. */
function reloadWhenStalled() {
  hasStopped = isOpen && video.currentTime === lastPosition && (!video.paused || video.ended);
  if (video.currentTime !== lastPosition) hideOffline();
  lastPosition = video.currentTime;
  if (!hasStopped) stalledSince = performance.now();
  if (performance.now() - stalledSince < stalledMilliseconds) return;
  stalledSince = performance.now();
  void poll();
}

function showOffline() {
  isOffline = true;
  say(words.offline);
}

function hideOffline() {
  if (isOffline) unsay();
  isOffline = false;
}
