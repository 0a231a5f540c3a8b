import { contentUrn, formatDate, formatDuration, formatPrice } from '../../shared/platform/format.js';
import type { PublishedVod, VodEntry } from '../../shared/vod/vod.entry.js';
import { bundleView, publicBundleView } from '../contentbundle/contentbundle.views.js';
import { publisherView } from '../user/user.views.js';

/** VOD item of `interface.md 2`, for its owner. Dates are in the caller's local time. */
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
    contentId: contentUrn(urnNamespace, entry.content.id),
    title: entry.title,
    ...(entry.description ? { description: entry.description } : {}),
    resourceId: entry.content.id,
    duration: formatDuration(Number(entry.content.durationMs ?? 0)),
    ...(entry.thumbnailId ? { thumbnailId: entry.thumbnailId } : {}),
    ...(entry.tags.length > 0 ? { tags: entry.tags } : {}),
    licenseType: entry.licenseType,
    ...(entry.ccType ? { ccType: entry.ccType } : {}),
    ...(entry.pricePerViewCents === null ? {} : { pricePerView: formatPrice(entry.pricePerViewCents) }),
  };
}
