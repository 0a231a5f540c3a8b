/*
 * The payment of a video or an event, at the page of the payment provider, which cannot be shown in a frame. The item is named as the
 * server names it: `{ vod }` or `{ event }`, with its id.
 */
import { control, player, words } from './playerPage.js';
import { keepText, keptText } from './storage.js';

const keyOf = (itemId) => `payment-${itemId}`;

/** The tracking id of the payment that was started in this browser; null: none. */
export function paidTrackingId(itemId) {
  return keptText(keyOf(itemId));
}

/**
 * To be called once. The buttons that pay start a payment of `item()`. `opened` is called when the checkout is open in a window of its
 * own, `returned` when the browser shows this page as it was when it was left for the checkout.
 */
export function offerPayment({ item, opened, returned }) {
  for (const button of payButtons()) button.addEventListener('click', () => void pay({ item, opened }));
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    allowToPay(true);
    returned();
  });
}

const payButtons = () => [control.pay, control.payNow].filter(Boolean);

function allowToPay(isAllowed) {
  for (const button of payButtons()) button.disabled = !isAllowed;
}

async function pay({ item, opened }) {
  allowToPay(false);
  try {
    // Otherwise this page is being left: a second click must not start a second payment.
    if (!(await startPayment(item(), player.dataset.pay))) return;
    await opened();
  } catch (error) {
    control.overlayText.textContent = error.message;
  }
  allowToPay(true);
}

/**
 * Starts a payment, and leads the viewer to the checkout page: in a window of its own if this page is in a frame. Resolves with
 * whether that is so. Rejects with a message for the viewer. To be called in the handler of a click, else the window is blocked.
 */
async function startPayment(item, address) {
  const isFramed = window.top !== window;
  const checkout = isFramed ? window.open('', '_blank') : null;
  if (isFramed && !checkout) throw new Error(words['paid.blocked']);
  try {
    const { url, trackingId } = await requestPayment(item, address);
    keepPayment(Object.values(item)[0], trackingId);
    if (checkout) checkout.opener = null;
    (checkout ?? window).location.href = url;
    return isFramed;
  } catch (error) {
    checkout?.close();
    throw error;
  }
}

async function requestPayment(item, address) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(address, { method: 'POST', headers, body: JSON.stringify(item) }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (!response?.ok || !body) throw new Error(body?.message || words['paid.failed']);
  return body;
}

/** A viewer who opens the page without the tracking id in its address later, such as from a bookmark, has still paid. */
export function keepPayment(itemId, trackingId) {
  keepText(keyOf(itemId), trackingId);
}

/** The payment has ended without anything to play. */
export function forgetPayment(itemId) {
  keepText(keyOf(itemId), null);
}
