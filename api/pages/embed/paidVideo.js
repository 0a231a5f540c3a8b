/* A video that must be paid for: its preview, the way to the checkout and back, and the wait for the payment. */
import { control, player, video, words } from './playerPage.js';
import { afterFailure, growing, whileAwaited } from './pauses.js';
import { forgetPayment, offerPayment, paidTrackingId } from './payment.js';
import { playOrMute } from './source.js';
import { sentTrackingId } from './trackingAddress.js';
import { playVideo } from './video.js';

const { vod, ask: askAddress } = player.dataset;
/** What is needed to see the video: the first text of the page. */
let needed = '';

let isPrepared = false;
/** The viewer has come back from the checkout without a payment, and has not started another one. */
let isCancelled = new URLSearchParams(location.search).has('cancelled');
/** Requests in a row with the same outcome. */
let attempts = 0;
let timer = 0;

export function offerVideo() {
  needed = control.overlayText.textContent;
  control.preview.addEventListener('click', playPreview);
  control.payNow?.addEventListener('click', showOffer);
  video.addEventListener('ended', showOffer);
  offerPayment({ item: () => ({ vod }), opened: askAtOnce, returned: ask });
  if (isCancelled) control.overlayText.textContent = words['paid.cancelled'];
  void ask();
}

function playPreview() {
  control.overlay.hidden = true;
  if (control.payNow) control.payNow.hidden = false;
  player.inert = false;
  player.focus({ preventScroll: true });
  // Not before: a preview that cannot be loaded hides no price.
  if (!isPrepared) playVideo();
  isPrepared = true;
  playOrMute();
}

function showOffer() {
  video.pause();
  player.inert = true;
  control.overlay.hidden = false;
  if (control.payNow) control.payNow.hidden = true;
  (control.pay ?? control.preview).focus({ preventScroll: true });
}

function askAtOnce() {
  isCancelled = false;
  attempts = 0;
  return ask();
}

/**
 * Asks whether the video was paid for: by the payment that the page was opened with, and by the last one that was started in this
 * browser.
 */
async function ask() {
  clearTimeout(timer);
  try {
    const named = sentTrackingId;
    const own = paidTrackingId(vod);
    const isAwaited =
      (named !== null && named !== own && (await isUnderWay(named))) || (own !== null && (await isUnderWay(own)));
    attempts += 1;
    if (isAwaited) again(whileAwaited);
  } catch (error) {
    control.overlayText.textContent = error.message;
    attempts += 1;
    again(afterFailure);
  }
}

function again(pause) {
  timer = setTimeout(ask, growing(pause, { attempts, random: Math.random() }));
}

/** Opens the page of the video where a payment is made. Resolves with whether it may still be. */
async function isUnderWay(trackingId) {
  const { result, isAwaited = false, message } = await requestPlayback(trackingId);
  if (result === 'PLAY') return showPaid(trackingId);
  if (!isAwaited) {
    if (trackingId === paidTrackingId(vod)) forgetPayment(vod);
    if (control.pay) control.pay.hidden = false;
    control.overlayText.textContent = [message, needed].filter(Boolean).join(' ');
    return false;
  }
  if (isCancelled) return false;
  control.overlayText.textContent = words['live.paying'];
  // Who comes from the checkout has agreed to the payment: only the money is missing.
  if (control.pay && trackingId === sentTrackingId) control.pay.hidden = true;
  return true;
}

/** Rejects with a message for the viewer. */
async function requestPlayback(trackingId) {
  const response = await fetch(`${askAddress}&trackingId=${encodeURIComponent(trackingId)}`).catch(() => null);
  // The reloaded page says that there is no such video any more.
  if (response?.status === 404) location.reload();
  const body = await response?.json().catch(() => null);
  if (!response?.ok || !body) throw new Error(body?.message || words.offline);
  return body.playback;
}

/** The address with the tracking id plays the video. */
function showPaid(trackingId) {
  const address = new URL(location.href);
  address.search = new URLSearchParams({ vod, trackingId }).toString();
  location.replace(address);
  return false;
}
