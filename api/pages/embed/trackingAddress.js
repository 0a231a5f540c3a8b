/*
 * The payment provider returns the browser to an address with the tracking id of the payment, which plays the video to everybody who knows
 * it. The page takes the id out of the address that the viewer sees and shares. It stays in this entry of the browser's history, which a
 * reload keeps also where the browser permits no storage.
 */

/** The tracking id that this page was opened or loaded again with; null: none. To be read before another script changes the address. */
export const sentTrackingId = takeTrackingId();

function takeTrackingId() {
  const address = new URL(location.href);
  const sent = address.searchParams.get('trackingId');
  if (sent === null) return history.state?.trackingId ?? null;
  address.searchParams.delete('trackingId');
  history.replaceState({ ...history.state, trackingId: sent }, '', address);
  return sent;
}
