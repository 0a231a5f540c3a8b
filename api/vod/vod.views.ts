import { formatDate, formatPrice } from '../../shared/platform/formats/format.js';
import type { PublishedVod, VodEntry } from '../../shared/vod/vod.entry.js';
import { bundleView, publicBundleView } from '../contentbundle/contentbundle.views.js';
import { contentMembersView } from '../http/contentMembers.js';
import { publisherView } from '../user/user.views.js';

/** VOD item of `docs/contract.md#fields-vod-item`, for its owner. Dates are in the caller's local time. */
export function privateVod(entry: VodEntry, urnNamespace: string, offsetMs: number) {
  return {
    ...membersOf(entry, urnNamespace),
    ...(entry.bundle ? { bundle: bundleView(entry.bundle) } : {}),
    valueDate: formatDate(entry.publishedAt, offsetMs),
    ...(entry.expiresAt ? { expirationDate: formatDate(entry.expiresAt, offsetMs) } : {}),
    public: entry.public,
  };
}

/** The same for everybody: without dates and the switch, with its publisher. */
export function publicVod({ entry, publisher }: PublishedVod, urnNamespace: string) {
  return {
    ...membersOf(entry, urnNamespace),
    // Who publishes an item is who publishes its bundle.
    ...(entry.bundle ? { bundle: publicBundleView({ bundle: entry.bundle, publisher }) } : {}),
    publisher: publisherView(publisher),
  };
}

function membersOf(entry: VodEntry, urnNamespace: string) {
  return {
    vodId: entry.id,
    boxId: entry.boxItemId,
    ...contentMembersView(entry, urnNamespace),
    licenseType: entry.licenseType,
    ...(entry.ccType ? { ccType: entry.ccType } : {}),
    ...(entry.pricePerViewCents === null ? {} : { pricePerView: formatPrice(entry.pricePerViewCents) }),
  };
}
