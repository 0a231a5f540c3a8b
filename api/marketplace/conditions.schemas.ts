import Joi, { type SchemaMap } from 'joi';
import {
  marketplaceLicenseTypes,
  type Conditions,
  type ConditionsChange,
  type MarketplaceLicenseType,
} from '../../shared/marketplace/licenseConditions.js';
import { parsePrice } from '../../shared/platform/formats/format.js';
import { durationUnits, maxDuration, type DurationUnit } from '../../shared/platform/formats/period.js';
import { blank, reject } from '../../shared/platform/validation.js';
import { changeBody } from '../http/changeBody.js';
import { documented, durationLimits, filterNeeds, needs, noAlternatives } from '../http/documented.js';
import { choice, filterWith, flag, integer, onlyWith, price, unlessOther, wire } from '../http/fields.js';

const ccTypes = ['BY', 'BY_SA', 'BY_ND', 'BY_NC', 'BY_NC_SA', 'BY_NC_ND'];

const expiring: readonly MarketplaceLicenseType[] = ['FREE', 'SPOT_PRICE', 'PAY_PER_VIEW', 'REVENUE_SHARING'];
const downloadable: readonly MarketplaceLicenseType[] = ['FREE', 'CREATIVE_COMMONS', 'SPOT_PRICE'];

/** Conditions of an offer in a request, after validation: prices in cents, the percentage in basis points. */
export interface ConditionsBody {
  readonly licenseType: MarketplaceLicenseType;
  readonly ccType?: string;
  readonly activationPrice?: number;
  readonly pricePerView?: number;
  readonly earningPercentage?: number;
  readonly duration?: number;
  readonly durationUnit?: DurationUnit;
  readonly download?: boolean;
}

/** 0 to 100, as a number or with a decimal comma: "12,50". Converted to basis points, which are hundredths of a percent. */
const percentage = Joi.any()
  .empty(blank)
  .custom((value: unknown, helpers) => {
    const isText = typeof value === 'string' || typeof value === 'number';
    const basisPoints = isText ? parsePrice(String(value).trim()) : undefined;
    return basisPoints !== undefined && basisPoints <= 10_000 ? basisPoints : reject(helpers, 'marketplace.percentage');
  })
  .meta(documented({ type: 'number', minimum: 0, maximum: 100 }))
  .example(12.5);

/** Requires `durationUnit`. */
const duration = Joi.any()
  .when('durationUnit', {
    switch: [
      ...durationUnits.map((unit) => ({ is: unit, then: integer().min(1).max(maxDuration[unit]) })),
      { is: Joi.exist(), then: Joi.any() },
    ],
    otherwise: Joi.any().custom((_given, helpers) => reject(helpers, 'marketplace.durationTogether')),
  })
  .meta(documented({ type: 'integer', minimum: 1, ...noAlternatives }));

/** Each license type uses its own members and ignores all others: `docs/contract.md#choices-marketplace`. */
export const conditionsBody = Joi.object<ConditionsBody>({
  licenseType: choice(marketplaceLicenseTypes).required().example('FREE'),
  ccType: onlyWith('CREATIVE_COMMONS', choice(ccTypes).required()),
  activationPrice: onlyWith('SPOT_PRICE', price().required()),
  pricePerView: onlyWith('PAY_PER_VIEW', price().required()),
  earningPercentage: onlyWith('REVENUE_SHARING', percentage.required()),
  // Declared before `duration`, whose rule refers to it: joi does not detect references inside of conditions.
  durationUnit: onlyWith(expiring, choice(durationUnits)),
  duration: onlyWith(expiring, duration).description(
    'Validity of the license, in `durationUnit`; unlimited if left out.',
  ),
  download: onlyWith(downloadable, flag()),
}).meta(
  documented({
    dependentRequired: { duration: ['durationUnit'] },
    allOf: [
      ...needs('licenseType', {
        CREATIVE_COMMONS: ['ccType'],
        SPOT_PRICE: ['activationPrice'],
        PAY_PER_VIEW: ['pricePerView'],
        REVENUE_SHARING: ['earningPercentage'],
      }),
      ...durationLimits(maxDuration),
    ],
  }),
);

/** Without `durationUnit`, the unit of the offer applies. */
const changedDuration = Joi.any()
  .when('durationUnit', {
    switch: durationUnits.map((unit) => ({ is: unit, then: integer().min(1).max(maxDuration[unit]) })),
    otherwise: integer().min(1).max(maxDuration.DAYS),
  })
  .meta(documented({ type: 'integer', minimum: 1, maximum: maxDuration.DAYS, ...noAlternatives }));

/**
 * Members that are not sent are unchanged, if the resulting license type uses them. A body with `licenseType` is complete: without
 * `duration` the license never ends, and without `download` the source file may not be downloaded.
 */
export const conditionsChangeBody = changeBody(conditionsBody, {
  example: { download: true },
  members: {
    ccType: unlessOther('CREATIVE_COMMONS', choice(ccTypes)),
    activationPrice: unlessOther('SPOT_PRICE', price()),
    pricePerView: unlessOther('PAY_PER_VIEW', price()),
    earningPercentage: unlessOther('REVENUE_SHARING', percentage),
    durationUnit: unlessOther(expiring, choice(durationUnits)),
    duration: unlessOther(expiring, changedDuration).description(
      'Validity of the license, in `durationUnit`; unlimited if a body with `licenseType` leaves it out.',
    ),
    download: unlessOther(downloadable, flag()),
  },
  allOf: durationLimits(maxDuration),
});

/** The conditions in a change: members that are undefined are unchanged. */
export function changedConditionsIn(body: Partial<ConditionsBody>): ConditionsChange {
  const { activationPrice, pricePerView, earningPercentage, ...unconverted } = body;
  return {
    ...(body.licenseType === undefined ? {} : conditionsIn({ ...body, licenseType: body.licenseType })),
    ...unconverted,
    ...(activationPrice === undefined ? {} : { activationPriceCents: activationPrice }),
    ...(pricePerView === undefined ? {} : { pricePerViewCents: pricePerView }),
    ...(earningPercentage === undefined ? {} : { earningBasisPoints: earningPercentage }),
  };
}

export function conditionsIn(body: ConditionsBody): Conditions {
  // A unit without a duration is ignored: forms send their preselected unit also with an empty duration.
  const { duration: length = null, durationUnit = null } = body;
  return {
    licenseType: body.licenseType,
    ccType: body.ccType ?? null,
    activationPriceCents: body.activationPrice ?? null,
    pricePerViewCents: body.pricePerView ?? null,
    earningBasisPoints: body.earningPercentage ?? null,
    duration: length,
    durationUnit: length === null ? null : durationUnit,
    download: body.download ?? false,
  };
}

/** Filters of a search. */
export interface ConditionFilters {
  readonly licenseType?: MarketplaceLicenseType;
  readonly ccType?: string;
  readonly download?: boolean;
}

export const conditionFilters = Joi.object<ConditionFilters>({
  licenseType: choice(marketplaceLicenseTypes),
  ccType: filterWith('CREATIVE_COMMONS', choice(ccTypes)),
  download: flag(),
}).meta(documented({ allOf: [filterNeeds('ccType', 'CREATIVE_COMMONS')] }));

/** Conditions in responses: of an offer, and of the license of an acquired item (`docs/contract.md#conventions`). */
export const conditionsResponse: SchemaMap = {
  licenseType: Joi.valid(...marketplaceLicenseTypes).required(),
  ccType: Joi.valid(...ccTypes),
  activationPrice: wire.price(),
  pricePerView: wire.price(),
  earningPercentage: Joi.number().min(0).max(100).example(12.5),
  duration: Joi.number().integer().description('Validity of the license, in `durationUnit`; unlimited if left out.'),
  durationUnit: Joi.valid(...durationUnits),
  download: Joi.boolean().required(),
};
