import { defineModel, timestamp, uuid } from '../platform/database/model.js';

/** A user's subscription to a bundle (`docs/contract.md#fields-subscription`). */
export const BundleSubscription = defineModel('bundle_subscriptions', {
  id: uuid().primaryKey(),
  bundleId: uuid(),
  userId: uuid(),
  subscribedAt: timestamp(),
  expiresAt: timestamp(),
});
