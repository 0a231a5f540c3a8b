import type { Offer, PublicOffer } from '../../shared/marketplace/marketplace.offer.js';
import { contentUrn, formatDuration } from '../../shared/platform/format.js';
import { publisherView } from '../user/user.views.js';
import { conditionsView } from './conditions.js';

/** Marketplace item of `interface.md 2`, for its seller. */
export function privateOffer(offer: Offer, urnNamespace: string) {
  const { content } = offer;
  return {
    marketplaceId: offer.id,
    boxId: offer.boxItemId,
    contentId: contentUrn(urnNamespace, content.id),
    title: offer.title,
    ...(offer.description ? { description: offer.description } : {}),
    resourceId: content.id,
    duration: formatDuration(Number(content.durationMs ?? 0)),
    ...(offer.thumbnailId ? { thumbnailId: offer.thumbnailId } : {}),
    ...(offer.tags.length > 0 ? { tags: offer.tags } : {}),
    conditions: conditionsView(offer.conditions),
  };
}

/** The same for everybody: with its seller. */
export function publicOffer({ offer, seller }: PublicOffer, urnNamespace: string) {
  return { ...privateOffer(offer, urnNamespace), seller: publisherView(seller) };
}
