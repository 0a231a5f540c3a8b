import { column, defineModel } from '../platform/database/model.js';

/** A user's subscription to a bundle (`docs/contract.md#fields-subscription`). */
export const BundleSubscription = defineModel('bundle_subscriptions', {
  id: column.uuid().primaryKey(),
  bundleId: column.uuid(),
  userId: column.uuid(),
  subscribedAt: column.timestamp(),
  expiresAt: column.timestamp(),
  /** The event `subscription.ended` was recorded. */
  endRecorded: column.boolean().withDefault(),
});
