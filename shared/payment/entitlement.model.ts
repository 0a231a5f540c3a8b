import { column, defineModel } from '../platform/database/model.js';
import type { PurchaseKind } from './purchase.js';

/**
 * A paid view of a video or a live event. Its holder is the buyer; null: every client that sends the tracking id holds it. The view
 * of an event ends with the event; its `expiresAt` is set only if the money was returned.
 */
export const EntitlementRecord = defineModel('entitlements', {
  trackingId: column.uuid().primaryKey(),
  holderId: column.uuid().nullable(),
  kind: column.text<PurchaseKind>(),
  itemId: column.uuid(),
  grantedAt: column.timestamp(),
  firstUsedAt: column.timestamp().nullable(),
  expiresAt: column.timestamp().nullable(),
});
