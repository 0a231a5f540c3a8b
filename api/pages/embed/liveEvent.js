/* Waits for a live event, plays it, and follows it to its end. liveState.js contains the decisions. */
import { showBehind } from './behind.js';
import { poll, pollNow, begin, follow, now, status } from './follow.js';
import { countdownOf, pauseBefore, viewOf } from './liveState.js';
import { locale } from './locale.js';
import { control, player, stage, video, words } from './playerPage.js';
import { forgetPayment, offerPayment, paidTrackingId } from './payment.js';
import { offerRewind, resetRewind } from './rewind.js';

const sent = new URLSearchParams(location.search);
/** The viewer has returned from the checkout without a payment, and has not started another payment. */
let isCancelled = sent.has('cancelled');
/** The viewer has returned from the checkout. */
const isReturned = sent.has('returned');
/** The tracking id of the payment that the viewer has approved there; null: none. */
let agreedTo = null;
const times = new Intl.DateTimeFormat(locale, {
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
});

export function playLive() {
  const hls = follow({
    kind: 'live',
    status: statusOfPage(),
    ...{ viewOf, query, show },
    pauseBefore: (state) => pauseBefore({ ...state, isAwaited: isAwaited() }),
    opened: resetRewind,
    startsAlone: true,
  });
  showBehind(hls);
  offerRewind(hls);
  offerPayment({ item: () => ({ event: status.eventId }), opened: awaitPayment, returned: poll });
  setInterval(showCountdown, 250);
  if (viewOf(status) === 'pay' && paidTrackingId(status.eventId)) return void poll();
  if (viewOf(status) === 'pay' && isReturned) return showReturned();
  return begin();
}

/** The page contains the status of an unpaid viewer. Until the first response, an approved payment counts as awaited. */
function statusOfPage() {
  const shown = JSON.parse(player.dataset.live);
  if (isReturned) agreedTo = paidTrackingId(shown.eventId);
  return agreedTo !== null && viewOf(shown) === 'pay' ? { ...shown, isAwaited: true } : shown;
}

/** Whether the payment of the viewer may still be confirmed. */
const isAwaited = () => status.isAwaited === true && !isCancelled;

function awaitPayment() {
  isCancelled = false;
  return pollNow();
}

/** The viewer has paid in a separate window: only the page that has opened it knows the payment. */
function showReturned() {
  control.overlayText.textContent = words['live.returned'];
  control.offer.hidden = true;
}

function query() {
  const trackingId = paidTrackingId(status.eventId);
  return trackingId === null ? '' : `&trackingId=${encodeURIComponent(trackingId)}`;
}

function show() {
  const view = viewOf(status);
  if (status.isAwaited === false) forgetPayment(status.eventId);
  stage.dataset.view = view;
  control.overlay.hidden = view === 'play';
  player.inert = view !== 'play';
  // The approved payment is not confirmed yet: the viewer must not pay twice.
  const isPaid = isAwaited() && agreedTo === paidTrackingId(status.eventId);
  control.offer.hidden = view !== 'pay' || isPaid;
  control.pay.textContent = status.pay ?? '';
  // Prevents line breaks between two times: `20:00–22:00`.
  const range = times.formatRange(status.startsAt, status.endsAt);
  control.times.textContent = range.replace(/(\d)–(\d)/, '$1\u2060–\u2060$2');
  control.times.dateTime = new Date(status.startsAt).toISOString();
  control.recording.hidden = view !== 'over' || status.recording === null;
  if (status.recording !== null) control.recording.href = status.recording;
  control.title.textContent = status.title;
  control.overlayText.textContent = [messageOf(view), textOf(view)].filter(Boolean).join(' ');
  showStillImage();
  showCountdown();
}

/** Shows a still image of the broadcast instead of the event's thumbnail until playback starts. */
function showStillImage() {
  if (status.still !== null && video.played.length === 0) video.poster = status.still;
}

/** The message about a payment replaces the one that the event must be paid for. */
function messageOf(view) {
  if (isAwaited()) return words['live.paying'];
  return isCancelled && view === 'pay' ? words['paid.cancelled'] : status.message;
}

function textOf(view) {
  if (view === 'over') return words['live.over'];
  // With a message, the viewer must pay first, so playback does not start automatically.
  return view === 'waiting' && status.message === null ? words['live.waiting'] : '';
}

function showCountdown() {
  const left = status.startsAt - now();
  control.countdown.hidden = status.phase !== 'BEFORE' || left <= 0;
  if (control.countdown.hidden) return;
  const { days, clock } = countdownOf(left);
  const unit = { style: 'unit', unit: 'day', unitDisplay: 'long' };
  const prefix = days > 0 ? `${new Intl.NumberFormat(locale, unit).format(days)}, ` : '';
  control.countdown.textContent = prefix + clock;
}
