import Joi, { type SchemaMap } from 'joi';
import type { NamedInput } from '../../shared/content/describedItem.js';
import { durationUnits, maxDuration, type DurationUnit } from '../../shared/platform/formats/period.js';
import { describedChangeBody, namedMembers, namedResponse } from '../http/describedItemFields.js';
import { documented, durationLimits, noAlternatives } from '../http/documented.js';
import { choice, flag, id, integer, price, publisherResponse, wire } from '../http/fields.js';
import { searchBody, userCodeFilter } from '../http/searchBody.js';

export interface BundleBody extends NamedInput {
  /** In cents. */
  readonly price: number;
  readonly duration: number;
  readonly durationUnit: DurationUnit;
}

const priceMeaning = 'Price of one subscription period, at least `MINIMUM_PRICE_CENTS` of the deployment.';

/** Create; `docs/contract.md#bundles`, `docs/contract.md#choices-bundles`. */
export const bundleBody = Joi.object<BundleBody>({
  ...namedMembers,
  price: price().required().description(priceMeaning),
  duration: integer()
    .min(1)
    .required()
    .when('durationUnit', {
      switch: durationUnits.map((unit) => ({ is: unit, then: Joi.number().max(maxDuration[unit]) })),
    })
    .meta(documented(noAlternatives))
    .description('Length of one subscription period, in `durationUnit`.'),
  durationUnit: choice(durationUnits).required(),
}).meta(documented({ allOf: durationLimits(maxDuration) }));
export const bundleChangeBody = describedChangeBody(bundleBody, { allOf: durationLimits(maxDuration) });

/** A malformed id is 404, like an unknown one. */
export const bundleParams = Joi.object<{ bundleId: string }>({ bundleId: id().required() });

export const ownSearchBody = searchBody();
export const publicBundleSearchBody = searchBody<{ userCode?: string }>({ userCode: userCodeFilter });
export const subscriptionSearchBody = searchBody<{ bundleId?: string; expiredIncluded: boolean }>({
  bundleId: id().empty('').description('Only subscriptions to this bundle.'),
  expiredIncluded: flag().default(false).description('Also subscriptions that have ended.'),
});

const members: SchemaMap = {
  bundleId: wire.id().required(),
  ...namedResponse,
  price: wire.price().required().description(priceMeaning),
  duration: Joi.number().integer().required().description('Length of one subscription period, in `durationUnit`.'),
  durationUnit: Joi.valid(...durationUnits).required(),
  itemCount: Joi.number()
    .integer()
    .required()
    .description('For the owner all items, in the public view those that can be played.'),
};

/** Bundle of `docs/contract.md#fields-bundle`, for its owner. */
export const bundleResponse = Joi.object(members).meta({ className: 'Bundle' });

/** The public view of a bundle. */
export const publicBundleResponse = Joi.object({ ...members, publisher: publisherResponse.required() }).meta({
  className: 'PublicBundle',
});

/** Bundle subscription of `docs/contract.md#fields-subscription`. */
export const subscriptionResponse = Joi.object({
  subscriptionId: wire.id().required(),
  bundle: publicBundleResponse.required(),
  valueDate: wire.date().required(),
  expirationDate: wire.date().required(),
}).meta({ className: 'BundleSubscription' });
