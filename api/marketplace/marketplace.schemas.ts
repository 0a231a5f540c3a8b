import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import { boxItemResponse } from '../box/box.schemas.js';
import { contentMembers } from '../http/contentMembers.js';
import { id, optionalText, publisherResponse, wire } from '../http/fields.js';
import { searchBody, userCodeFilter } from '../http/searchBody.js';
import { conditionFilters, conditionsResponse, type ConditionFilters } from './conditions.schemas.js';

export const marketplaceParams = Joi.object<{ marketplaceId: string }>({ marketplaceId: id().required() });

export const privateMarketplaceSearchBody = searchBody<{ conditions?: ConditionFilters }>({
  conditions: conditionFilters,
});

export interface PublicFilters {
  readonly userCode?: string;
  readonly excludeUserCode?: string;
  readonly conditions?: ConditionFilters;
}

export const publicMarketplaceSearchBody = searchBody<PublicFilters>({
  userCode: userCodeFilter,
  excludeUserCode: optionalText(50).description('Leaves out the offers of this user, case-insensitive.'),
  conditions: conditionFilters,
});

const members: SchemaMap = {
  marketplaceId: wire.id().required(),
  boxId: wire.id().required(),
  ...contentMembers,
  conditions: Joi.object(conditionsResponse).required(),
};

/** Marketplace item of `docs/contract.md#fields-marketplace-item`, for its seller. */
export const privateOfferResponse: ObjectSchema = Joi.object(members).meta({ className: 'MarketplaceItem' });

/** The public view of a marketplace item, with the seller. */
export const publicOfferResponse: ObjectSchema = Joi.object({ ...members, seller: publisherResponse.required() }).meta({
  className: 'PublicMarketplaceItem',
});

export const acquireResponse: ObjectSchema = Joi.object({
  result: Joi.valid('FULFILLED', 'PAYMENT_REQUIRED').required().description('Whether the license was acquired.'),
  marketplaceContent: publicOfferResponse.required(),
  boxContent: boxItemResponse,
});
