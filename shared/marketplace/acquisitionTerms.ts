import Joi from 'joi';
import type { TitledItem } from '../content/describedItem.js';
import { StoredTerms } from '../payment/purchase.js';
import { durationUnits } from '../platform/formats/period.js';
import { marketplaceLicenseTypes, type Conditions } from './licenseConditions.js';
import type { Offer } from './marketplace.queries.js';

/**
 * Content, seller and conditions of an acquisition, copied from the offer when it is acquired or when its payment
 * starts.
 */
export interface AcquisitionTerms extends TitledItem {
  readonly marketplaceId: string;
  readonly issuerId: string;
  readonly offeredBoxItemId: string;
  /** The terms of every payment for a content have this member: a content with an open payment cannot be deleted. */
  readonly contentId: string;
  readonly conditions: Conditions;
}

export function acquisitionTermsOf(offer: Offer): AcquisitionTerms {
  return {
    marketplaceId: offer.id,
    issuerId: offer.ownerId,
    offeredBoxItemId: offer.boxItemId,
    contentId: offer.content.id,
    title: offer.title,
    description: offer.description,
    tags: offer.tags,
    thumbnailId: offer.chosenThumbnailId,
    conditions: offer.conditions,
  };
}

const id = Joi.string().guid();
const text = Joi.string().allow('');
const number = Joi.number().integer().allow(null).required();

const conditions = Joi.object<Conditions, true>({
  licenseType: Joi.string()
    .valid(...marketplaceLicenseTypes)
    .required(),
  ccType: text.allow(null).required(),
  activationPriceCents: number,
  pricePerViewCents: number,
  earningBasisPoints: number,
  duration: number,
  durationUnit: Joi.string()
    .valid(...durationUnits)
    .allow(null)
    .required(),
  download: Joi.boolean().required(),
});

/** The terms stored with the payment of an acquisition. */
export const acquisitionTerms = new StoredTerms(
  Joi.object<AcquisitionTerms>({
    marketplaceId: id.required(),
    issuerId: id.required(),
    offeredBoxItemId: id.required(),
    contentId: id.required(),
    title: text.required(),
    description: text.allow(null).required(),
    tags: Joi.array().items(text).required(),
    thumbnailId: id.allow(null).required(),
    conditions: conditions.required(),
  }),
);
