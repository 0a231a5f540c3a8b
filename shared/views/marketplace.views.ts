import type { Offer, PublicOffer } from '../marketplace/marketplace.queries.js';
import { contentMembersView } from './contentMembers.views.js';
import { publisherView } from './user.views.js';
import { conditionsView } from './conditions.views.js';

/** Marketplace item of `docs/contract.md#fields-marketplace-item`, for its seller. */
export function privateOffer(offer: Offer, urnNamespace: string) {
  return {
    marketplaceId: offer.id,
    boxId: offer.boxItemId,
    ...contentMembersView(offer, urnNamespace),
    conditions: conditionsView(offer.conditions),
  };
}

/** The public view: with the seller. */
export function publicOffer({ offer, seller }: PublicOffer, urnNamespace: string) {
  return { ...privateOffer(offer, urnNamespace), seller: publisherView(seller) };
}
