import { column } from '../platform/database/model.js';
import type { DurationUnit } from '../platform/formats/period.js';
import type { MarketplaceLicenseType } from './licenseConditions.js';

/** License conditions: columns that offers and acquired licenses share. */
export const licenseConditionColumns = {
  licenseType: column.text<MarketplaceLicenseType>(),
  ccType: column.text().nullable(),
  activationPriceCents: column.bigint().nullable(),
  pricePerViewCents: column.bigint().nullable(),
  earningBasisPoints: column.integer().nullable(),
  duration: column.integer().nullable(),
  durationUnit: column.text<DurationUnit>().nullable(),
  download: column.boolean().withDefault(),
};
