import { defineModel, text, timestamp, uuid } from '../platform/database/model.js';
import type { PurchaseKind } from '../payment/purchase.js';

/**
 * A paid view of a video or a live event. Its holder is the buyer; null: every client that sends the tracking id holds it.
 * The view of an event ends with the event; `expiresAt` is set only where its money was returned.
 */
export const EntitlementRecord = defineModel('entitlements', {
  trackingId: uuid().primaryKey(),
  holderId: uuid().nullable(),
  kind: text<PurchaseKind>(),
  itemId: uuid(),
  grantedAt: timestamp(),
  firstUsedAt: timestamp().nullable(),
  expiresAt: timestamp().nullable(),
});
