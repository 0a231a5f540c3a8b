/* A paid video: its preview, the checkout, and the wait for the payment's confirmation. */
import { control, player, video, words } from './playerPage.js';
import { afterFailure, backoff, whileAwaited } from './pauses.js';
import { forgetPayment, offerPayment, paidTrackingId } from './payment.js';
import { playOrMute } from './source.js';
import { sentTrackingId } from './trackingAddress.js';
import { playVideo } from './video.js';

const { vod, ask: statusAddress } = player.dataset;
/** The initial text of the page: the requirement to see the video. */
let needed = '';

let isPrepared = false;
/** The viewer has returned from the checkout without a payment, and has not started another payment. */
let isCancelled = new URLSearchParams(location.search).has('cancelled');
/** Number of consecutive requests, for the pauses between them. */
let attempts = 0;
let timer = 0;

export function offerVideo() {
  needed = control.overlayText.textContent;
  control.preview.addEventListener('click', playPreview);
  control.payNow?.addEventListener('click', showOffer);
  video.addEventListener('ended', showOffer);
  offerPayment({ item: () => ({ vod }), opened: pollNow, returned: poll });
  if (isCancelled) control.overlayText.textContent = words['paid.cancelled'];
  void poll();
}

function playPreview() {
  control.overlay.hidden = true;
  if (control.payNow) control.payNow.hidden = false;
  player.inert = false;
  player.focus({ preventScroll: true });
  // Loaded only on request, so that a failing preview does not hide the price.
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

function pollNow() {
  isCancelled = false;
  attempts = 0;
  return poll();
}

/**
 * Asks the server whether the video was paid for, with the payment in the page's address and with the last one started in this
 * browser.
 */
async function poll() {
  clearTimeout(timer);
  try {
    const sent = sentTrackingId;
    const own = paidTrackingId(vod);
    const isAwaited =
      (sent !== null && sent !== own && (await isUnderWay(sent))) || (own !== null && (await isUnderWay(own)));
    attempts += 1;
    if (isAwaited) again(whileAwaited);
  } catch (error) {
    control.overlayText.textContent = error.message;
    attempts += 1;
    again(afterFailure);
  }
}

function again(pause) {
  timer = setTimeout(poll, backoff(pause, { attempts, random: Math.random() }));
}

/** Opens the page of the video if the payment is confirmed. Resolves with whether it may still be confirmed. */
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
  // The viewer has approved this payment at the checkout: it is only not confirmed yet.
  if (control.pay && trackingId === sentTrackingId) control.pay.hidden = true;
  return true;
}

/** Rejects with a message for the viewer. */
async function requestPlayback(trackingId) {
  const response = await fetch(`${statusAddress}&trackingId=${encodeURIComponent(trackingId)}`).catch(() => null);
  // The reloaded page shows that the video no longer exists.
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
