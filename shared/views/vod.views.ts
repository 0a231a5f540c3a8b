import type { PublishedVod, VodWithBundle } from '../bundle/vodWithBundle.queries.js';
import type { Config } from '../platform/config.js';
import { formatDate, formatPrice } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import { bundleView, publicBundleView } from './bundle.views.js';
import { contentMembersView } from './contentMembers.views.js';
import { embedUrl } from './embedUrl.js';
import { publisherView } from './user.views.js';

/** VOD item of `docs/contract.md#fields-vod-item`, for its owner. Dates are in the caller's local time. */
export function privateVod(item: VodWithBundle, config: Config, zone: TimeZone) {
  return {
    ...membersOf(item, config),
    ...(item.bundle ? { bundle: bundleView(item.bundle) } : {}),
    valueDate: formatDate(item.publishedAt, zone),
    ...(item.expiresAt ? { expirationDate: formatDate(item.expiresAt, zone) } : {}),
    public: item.public,
  };
}

/** The public view: with its publisher, without dates and `public`. */
export function publicVod({ item, publisher }: PublishedVod, config: Config) {
  return {
    ...membersOf(item, config),
    // The publisher of an item is also the publisher of its bundle.
    ...(item.bundle ? { bundle: publicBundleView({ bundle: item.bundle, publisher }) } : {}),
    publisher: publisherView(publisher),
  };
}

function membersOf(item: VodWithBundle, config: Config) {
  return {
    vodId: item.id,
    boxId: item.boxItemId,
    embedUrl: embedUrl(config, 'vod', item.id),
    ...contentMembersView(item, config.service.urnNamespace),
    licenseType: item.licenseType,
    ...(item.ccType ? { ccType: item.ccType } : {}),
    ...(item.pricePerViewCents === null ? {} : { pricePerView: formatPrice(item.pricePerViewCents) }),
  };
}
