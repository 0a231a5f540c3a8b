/* A live event: waits for it, plays it, and follows it to its end. What to do when is decided in liveState.js. */
import { showBehind } from './behind.js';
import { ask, askSoon, begin, follow, now, status } from './follow.js';
import { countdownOf, pauseBefore, viewOf } from './liveState.js';
import { locale } from './locale.js';
import { control, player, stage, video, words } from './playerPage.js';
import { paidTrackingId, startPayment } from './payment.js';
import { offerRewind, resetRewind } from './rewind.js';

/** The viewer has come back from the checkout without a payment. */
const isCancelled = new URLSearchParams(location.search).has('cancelled');
const times = new Intl.DateTimeFormat(locale, {
  ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' },
});

let isPaying = false;

export function playLive() {
  const hls = follow({
    kind: 'live',
    status: JSON.parse(player.dataset.live),
    ...{ viewOf, query, show },
    pauseBefore: (state) => pauseBefore({ ...state, isPaying }),
    opened: resetRewind,
    startsAlone: true,
  });
  showBehind(hls);
  offerRewind(hls);
  control.pay.addEventListener('click', pay);
  setInterval(showCountdown, 250);
  if (viewOf(status) === 'pay' && paidTrackingId(status.eventId)) return void ask();
  if (viewOf(status) === 'pay' && new URLSearchParams(location.search).has('returned')) return showReturned();
  return begin();
}

/** The viewer has paid in a window of its own: what was paid is known to the page that opened it. */
function showReturned() {
  control.overlayText.textContent = words['live.returned'];
  control.offer.hidden = true;
}

function query() {
  const trackingId = paidTrackingId(status.eventId);
  return trackingId === null ? '' : `&trackingId=${encodeURIComponent(trackingId)}`;
}

async function pay() {
  control.pay.disabled = true;
  try {
    await startPayment({ event: status.eventId }, player.dataset.pay);
    isPaying = true;
    show();
  } catch (error) {
    control.overlayText.textContent = error.message || words.broken;
  }
  control.pay.disabled = false;
  askSoon();
}

function show() {
  const view = viewOf(status);
  if (view !== 'pay') isPaying = false;
  stage.dataset.view = view;
  control.overlay.hidden = view === 'play';
  player.inert = view !== 'play';
  control.offer.hidden = view !== 'pay';
  control.pay.textContent = status.pay ?? '';
  // A narrow page does not break the line between two times: `20:00–22:00`.
  const range = times.formatRange(status.startsAt, status.endsAt);
  control.times.textContent = range.replace(/(\d)–(\d)/, '$1\u2060–\u2060$2');
  control.times.dateTime = new Date(status.startsAt).toISOString();
  control.recording.hidden = view !== 'over' || status.recording === null;
  if (status.recording !== null) control.recording.href = status.recording;
  control.title.textContent = status.title;
  const cancelled = isCancelled && view === 'pay' ? words['paid.cancelled'] : '';
  const message = isPaying ? words['live.paying'] : [cancelled, status.message].filter(Boolean).join(' ');
  control.overlayText.textContent = [message, textOf(view)].filter(Boolean).join(' ');
  showStillImage();
  showCountdown();
}

/** Until the viewer starts to play: what is on air now, instead of the picture of the event. */
function showStillImage() {
  if (status.still !== null && video.played.length === 0) video.poster = status.still;
}

function textOf(view) {
  if (view === 'over') return words['live.over'];
  // Nothing starts by itself for a viewer who must pay first, which the message says.
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
