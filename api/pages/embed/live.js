/* A live event: waits for it, plays it, and follows it to its end. What to do when is decided in liveState.js. */
import { countdownOf, pauseBefore, positionOf, rewindTo, serverTime, viewOf } from './liveState.js';
import { control, player, stage, video, words } from './page.js';
import { paidTrackingId, startPayment } from './payment.js';
import { open, prepare } from './source.js';

/** A stream that has played for this long was no failure. */
const stableMilliseconds = 30_000;
/** The server is asked when what plays has stood still for this long. */
const stillMilliseconds = 10_000;

let hls = null;
let status = JSON.parse(player.dataset.live ?? 'null');
/** When the status came, by `performance.now()`. */
let receivedAt = 0;
/** Requests in a row with the same outcome. */
let attempts = 0;
let timer = 0;
let isOpen = false;
let openedAt = 0;
let losses = 0;
let isPaying = false;
let isRewound = false;
let lastPosition = 0;
let stillSince = 0;

export function playLive() {
  hls = prepare({ isLive: true, lost });
  receivedAt = performance.getEntriesByType('navigation')[0]?.responseStart ?? 0;
  video.addEventListener('ended', lost);
  player.addEventListener('mediaseekrequest', rewind, { capture: true });
  control.pay.addEventListener('click', pay);
  setInterval(showCountdown, 250);
  setInterval(askWhereStill, 1000);
  show();
  if (viewOf(status) === 'pay' && paidTrackingId(status.eventId)) return void ask();
  if (viewOf(status) === 'pay' && new URLSearchParams(location.search).has('returned')) return showReturned();
  if (viewOf(status) === 'play') openStream();
  return schedule();
}

/** The viewer has paid in a window of its own: what was paid is known to the page that opened it. */
function showReturned() {
  control.overlayText.textContent = words['live.returned'];
  control.offer.hidden = true;
}

const now = () => serverTime(status, performance.now() - receivedAt);

function schedule(failed = false) {
  clearTimeout(timer);
  const isLost = viewOf(status) === 'play' && !isOpen;
  const pause = pauseBefore({
    status: failed ? null : status,
    at: now(),
    attempts: isLost ? losses : attempts,
    random: Math.random(),
    isPaying,
    isLost,
  });
  if (pause !== null) timer = setTimeout(ask, pause);
}

async function ask() {
  clearTimeout(timer);
  const trackingId = paidTrackingId(status.eventId);
  const paid = trackingId === null ? '' : `&trackingId=${encodeURIComponent(trackingId)}`;
  try {
    const response = await fetch(player.dataset.renew + paid);
    // The event was deleted: the reloaded page shows the message.
    if (response.status === 404) return location.reload();
    if (!response.ok) throw new Error(String(response.status));
    take((await response.json()).status);
    return schedule();
  } catch {
    attempts += 1;
    return schedule(true);
  }
}

function take(next) {
  attempts = viewOf(next) === viewOf(status) ? attempts + 1 : 0;
  status = next;
  receivedAt = performance.now();
  if (viewOf(status) !== 'pay') isPaying = false;
  show();
  if (viewOf(status) !== 'play') isOpen = false;
  if (viewOf(status) !== 'play' || isOpen) return;
  openStream();
  playOrMute();
}

/** Does not play yet: a viewer who opens the page during the event starts it, as a video. */
function openStream() {
  isOpen = true;
  openedAt = performance.now();
  setRewound(false);
  open(status.address);
}

/**
 * Browsers refuse to play with audio on a page that the viewer has not touched, and give up where a new source interrupts
 * the start.
 */
function playOrMute() {
  video.play().catch((error) => {
    if (error.name === 'AbortError') video.addEventListener('canplay', playOrMute, { once: true });
    if (error.name !== 'NotAllowedError') return;
    video.muted = true;
    video.play().catch(() => {});
  });
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
function askWhereStill() {
  const isStill = isOpen && video.currentTime === lastPosition && (!video.paused || video.ended);
  lastPosition = video.currentTime;
  if (!isStill) stillSince = performance.now();
  if (performance.now() - stillSince < stillMilliseconds) return;
  stillSince = performance.now();
  void ask();
}

/** Opens the long playlist (`?dvr=1`) when a viewer goes back for the first time. */
function rewind(event) {
  // Only this service has the long playlist.
  if (isRewound || !hls || !status.address.startsWith('/')) return;
  const { seekable, currentTime: position } = video;
  const moment = rewindTo({
    target: event.detail,
    position,
    seekableStart: seekable.length > 0 ? seekable.start(0) : 0,
    playingAt: hls.playingDate?.getTime() ?? null,
  });
  if (moment === null) return;
  event.stopImmediatePropagation();
  setRewound(true);
  hls.once(window.Hls.Events.LEVEL_LOADED, (_event, { details }) => {
    hls.stopLoad();
    hls.startLoad(positionOf(details.fragments, moment));
  });
  open(`${status.address}?dvr=1`);
  playOrMute();
}

/** media-chrome shows the position of a live stream where it can be rewound. */
function setRewound(rewound) {
  isRewound = rewound;
  player.toggleAttribute('data-rewound', rewound);
  video.targetLiveWindow = rewound ? Infinity : 0;
  video.dispatchEvent(new Event('targetlivewindowchange'));
}

async function pay() {
  control.pay.disabled = true;
  try {
    await startPayment(status.eventId, player.dataset.pay);
    isPaying = true;
    attempts = 0;
    show();
  } catch (error) {
    control.overlayText.textContent = error.message || words.broken;
  }
  control.pay.disabled = false;
  schedule();
}

function show() {
  const view = viewOf(status);
  stage.dataset.view = view;
  control.overlay.hidden = view === 'play';
  player.inert = view !== 'play';
  control.offer.hidden = view !== 'pay';
  control.price.textContent = status.price ?? '';
  control.recording.hidden = view !== 'over' || status.recording === null;
  if (status.recording !== null) control.recording.href = status.recording;
  control.title.textContent = status.title;
  control.overlayText.textContent = [isPaying ? words['live.paying'] : status.message, textOf(view)]
    .filter(Boolean)
    .join(' ');
  showCountdown();
}

function textOf(view) {
  if (view === 'over') return words['live.over'];
  if (view === 'waiting') return words['live.waiting'];
  if (status.phase !== 'BEFORE') return '';
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'full', timeStyle: 'short' });
  return `${words['live.startsAt']} ${format.format(status.startsAt)}`;
}

function showCountdown() {
  const left = status.startsAt - now();
  control.countdown.hidden = status.phase !== 'BEFORE' || left <= 0;
  if (control.countdown.hidden) return;
  const { days, clock } = countdownOf(left);
  const unit = { style: 'unit', unit: 'day', unitDisplay: 'long' };
  const prefix = days > 0 ? `${new Intl.NumberFormat(document.documentElement.lang, unit).format(days)}, ` : '';
  control.countdown.textContent = prefix + clock;
}
