/* The payment of an event, at the page of the payment provider, which cannot be shown in a frame. */

/** Where the browser's storage cannot be used, as in some frames, a payment lasts as long as the page. */
const remembered = new Map();
const keyOf = (eventId) => `payment-${eventId}`;

/** The tracking id of the payment that was started in this browser; null: none. */
export function paidTrackingId(eventId) {
  try {
    return localStorage.getItem(keyOf(eventId)) ?? remembered.get(eventId) ?? null;
  } catch {
    return remembered.get(eventId) ?? null;
  }
}

/**
 * Starts a payment, and leads the viewer to the checkout page: in a window of its own where this page is in a frame.
 * Rejects with the message of the server. To be called in the handler of a click, else the window is blocked.
 */
export async function startPayment(eventId, address) {
  const checkout = window.top === window ? null : window.open('', '_blank');
  try {
    const response = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ event: eventId }),
    });
    const body = await response.json();
    if (!response.ok) throw new Error(body.message);
    remember(eventId, body.trackingId);
    if (checkout) checkout.opener = null;
    (checkout ?? window).location.href = body.url;
  } catch (error) {
    checkout?.close();
    throw error;
  }
}

function remember(eventId, trackingId) {
  remembered.set(eventId, trackingId);
  try {
    localStorage.setItem(keyOf(eventId), trackingId);
  } catch {
    // Not permitted in this frame.
  }
}
