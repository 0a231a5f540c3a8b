import { defineModel, text, timestamp, uuid } from '../platform/database/model.js';
import type { PurchaseKind } from '../platform/payments.js';

/** A paid view: by its holder, or by the tracking id where nobody was logged in. */
export const EntitlementRecord = defineModel('entitlements', {
  trackingId: uuid().primaryKey(),
  holderId: uuid().nullable(),
  kind: text<PurchaseKind>(),
  itemId: uuid(),
  grantedAt: timestamp(),
  firstUsedAt: timestamp().nullable(),
  expiresAt: timestamp().nullable(),
});
