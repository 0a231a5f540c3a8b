/*
 * The payment provider redirects the browser to an address with the payment's tracking id, which plays the video for everybody who
 * knows it. The page removes the id from the visible address, which viewers share, and stores it in the state of this history
 * entry. A reload preserves the state, also in browsers without storage.
 */

/** The tracking id with which this page was opened or reloaded; null: none. Read it before another script changes the address. */
export const sentTrackingId = takeTrackingId();

function takeTrackingId() {
  const address = new URL(location.href);
  const sent = address.searchParams.get('trackingId');
  if (sent === null) return history.state?.trackingId ?? null;
  address.searchParams.delete('trackingId');
  history.replaceState({ ...history.state, trackingId: sent }, '', address);
  return sent;
}
