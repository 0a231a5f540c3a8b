import type { Conditions } from '../marketplace/licenseConditions.js';
import { formatPrice } from '../platform/formats/format.js';

/** Conditions of an offer, or of the license of an acquired item. */
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
