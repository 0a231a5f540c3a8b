import type { BundleDetails, PublishedBundle } from '../bundle/bundle.queries.js';
import type { SubscriptionDetails } from '../bundle/subscription.queries.js';
import { formatDate, formatPrice } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import { namedView } from './describedItem.views.js';
import { publisherView } from './user.views.js';

/** Bundle of `docs/contract.md#fields-bundle`, for its owner. */
export function bundleView(bundle: BundleDetails) {
  return {
    bundleId: bundle.id,
    ...namedView(bundle),
    price: formatPrice(bundle.priceCents),
    duration: bundle.duration,
    durationUnit: bundle.durationUnit,
    itemCount: bundle.itemCount,
  };
}

/** The public view: with its publisher. */
export function publicBundleView({ bundle, publisher }: PublishedBundle) {
  return { ...bundleView(bundle), publisher: publisherView(publisher) };
}

/** Bundle subscription of `docs/contract.md#fields-subscription`. Dates are in the caller's local time. */
export function subscriptionView({ id, subscribedAt, expiresAt, subject }: SubscriptionDetails, zone: TimeZone) {
  return {
    subscriptionId: id,
    bundle: publicBundleView(subject),
    valueDate: formatDate(subscribedAt, zone),
    expirationDate: formatDate(expiresAt, zone),
  };
}
