/*
 * The payment of a video or an event at the payment provider's page, which cannot be shown in a frame. An item is `{ vod }` or
 * `{ event }`, with its id, as in the requests.
 */
import { control, player, words } from './playerPage.js';
import { storeText, storedText } from './storage.js';

const keyOf = (itemId) => `payment-${itemId}`;

/** The tracking id of the payment that was started in this browser; null: none. */
export function paidTrackingId(itemId) {
  return storedText(keyOf(itemId));
}

/**
 * Call it once. The pay buttons start a payment of `item()`. `opened` is called when the checkout is open in a separate window,
 * `returned` when the browser restores this page from its back/forward cache after the checkout.
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
    // The browser leaves this page: the buttons stay disabled, so that a second click starts no second payment.
    if (!(await startPayment(item(), player.dataset.pay))) return;
    await opened();
  } catch (error) {
    control.overlayText.textContent = error.message;
  }
  allowToPay(true);
}

/**
 * Starts a payment, and opens the checkout page, in a separate window if this page is in a frame. Resolves with whether it is in a
 * frame. Rejects with a message for the viewer. Call it in a click handler, otherwise the window is blocked.
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

/** Stores the payment for later visits without the tracking id in the address, for example from a bookmark. */
export function keepPayment(itemId, trackingId) {
  storeText(keyOf(itemId), trackingId);
}

/** Called when the payment has ended without a grant. */
export function forgetPayment(itemId) {
  storeText(keyOf(itemId), null);
}
