import { bigint, boolean, integer, text } from '../platform/database/model.js';
import type { DurationUnit } from '../platform/formats/period.js';
import type { MarketplaceLicenseType } from './conditions.js';

/** License conditions: the same columns in an offer and in a license that was acquired under them. */
export const conditionColumns = {
  licenseType: text<MarketplaceLicenseType>(),
  ccType: text().nullable(),
  activationPriceCents: bigint().nullable(),
  pricePerViewCents: bigint().nullable(),
  earningBasisPoints: integer().nullable(),
  duration: integer().nullable(),
  durationUnit: text<DurationUnit>().nullable(),
  download: boolean().withDefault(),
};
