import Joi, { type SchemaMap } from 'joi';
import {
  marketplaceLicenseTypes,
  type Conditions,
  type MarketplaceLicenseType,
} from '../../shared/marketplace/conditions.js';
import { formatPrice, parsePrice } from '../../shared/platform/formats/format.js';
import { durationUnits, longestDuration, type DurationUnit } from '../../shared/platform/formats/period.js';
import { reject } from '../../shared/platform/validation.js';
import { flag, integer, onlyWith, price, wire } from '../http/fields.js';

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
  readonly download: boolean;
}

/** 0 to 100, as a number or written like a price: "12,50". Becomes basis points, which are hundredths of a percent. */
const percentage = Joi.any()
  .custom((given: unknown, helpers) => {
    const isText = typeof given === 'string' || typeof given === 'number';
    const basisPoints = isText ? parsePrice(String(given).trim()) : undefined;
    return basisPoints !== undefined && basisPoints <= 10_000 ? basisPoints : reject(helpers, 'marketplace.percentage');
  })
  .meta({ swagger: { type: 'number', minimum: 0, maximum: 100 } })
  .example(12.5);

const duration = Joi.any().when('durationUnit', {
  switch: [
    ...durationUnits.map((unit) => ({ is: unit, then: integer().min(1).max(longestDuration[unit]).required() })),
    { is: Joi.exist(), then: Joi.any() },
  ],
  otherwise: Joi.any().custom((_given, helpers) => reject(helpers, 'marketplace.durationTogether')),
});

/** Every license type has exactly its members: `docs/contract.md#choices-marketplace`. */
export const conditionsBody = Joi.object<ConditionsBody>({
  licenseType: Joi.valid(...marketplaceLicenseTypes)
    .required()
    .example('FREE'),
  ccType: onlyWith('CREATIVE_COMMONS', Joi.valid(...ccTypes).required()),
  activationPrice: onlyWith('SPOT_PRICE', price().required()),
  pricePerView: onlyWith('PAY_PER_VIEW', price().required()),
  earningPercentage: onlyWith('REVENUE_SHARING', percentage.required()),
  duration: onlyWith(expiring, duration),
  durationUnit: onlyWith(expiring, Joi.valid(...durationUnits)),
  // `false` is accepted for every license type, since clients send back offers that they have read.
  download: flag()
    .empty('')
    .default(false)
    .when('licenseType', { is: Joi.valid(...downloadable).required(), otherwise: onlyFalse() }),
});

function onlyFalse() {
  return flag().custom((given: boolean, helpers) =>
    given ? reject(helpers, 'vod.onlyWithLicense', { licenseType: downloadable.join(', ') }) : given,
  );
}

export function conditionsIn(body: ConditionsBody): Conditions {
  return {
    licenseType: body.licenseType,
    ccType: body.ccType ?? null,
    activationPriceCents: body.activationPrice ?? null,
    pricePerViewCents: body.pricePerView ?? null,
    earningBasisPoints: body.earningPercentage ?? null,
    duration: body.duration ?? null,
    durationUnit: body.durationUnit ?? null,
    download: body.download,
  };
}

/** Filters of a search. */
export interface ConditionFilters {
  readonly licenseType?: MarketplaceLicenseType;
  readonly ccType?: string;
  readonly download?: boolean;
}

export const conditionFilters = Joi.object<ConditionFilters>({
  licenseType: Joi.valid(...marketplaceLicenseTypes).empty(''),
  ccType: onlyWith('CREATIVE_COMMONS', Joi.valid(...ccTypes)),
  download: flag().empty(''),
});

/** Conditions in responses: of an offer, and of the license of an acquired item (`docs/contract.md#conventions`). */
export const conditionsResponse: SchemaMap = {
  licenseType: Joi.valid(...marketplaceLicenseTypes).required(),
  ccType: Joi.valid(...ccTypes),
  activationPrice: wire.price(),
  pricePerView: wire.price(),
  earningPercentage: Joi.number().min(0).max(100).example(12.5),
  duration: Joi.number().integer(),
  durationUnit: Joi.valid(...durationUnits),
  download: Joi.boolean().required(),
};

export function conditionsView(conditions: Conditions) {
  const { licenseType, ccType, activationPriceCents, pricePerViewCents, earningBasisPoints } = conditions;
  const { duration: length, durationUnit, download } = conditions;
  return {
    licenseType,
    ...(ccType === null ? {} : { ccType }),
    ...(activationPriceCents === null ? {} : { activationPrice: formatPrice(activationPriceCents) }),
    ...(pricePerViewCents === null ? {} : { pricePerView: formatPrice(pricePerViewCents) }),
    ...(earningBasisPoints === null ? {} : { earningPercentage: earningBasisPoints / 100 }),
    ...(length === null || durationUnit === null ? {} : { duration: length, durationUnit }),
    download,
  };
}
