import { defineModel, bigint, boolean, integer, text, timestamp, uuid } from '../platform/database/model.js';
import type { DurationUnit } from '../platform/formats/period.js';
import type { MarketplaceLicenseType } from './conditions.js';

/** A license that a user has acquired, with the conditions agreed then (docs/contract.md#fields-marketplace-license). */
export const AcquiredLicense = defineModel('acquired_licenses', {
  id: uuid().primaryKey(),
  boxItemId: uuid(),
  acquirerId: uuid(),
  issuerId: uuid(),
  marketplaceId: uuid(),
  offeredBoxItemId: uuid(),
  licenseType: text<MarketplaceLicenseType>(),
  ccType: text().nullable(),
  activationPriceCents: bigint().nullable(),
  pricePerViewCents: bigint().nullable(),
  earningBasisPoints: integer().nullable(),
  duration: integer().nullable(),
  durationUnit: text<DurationUnit>().nullable(),
  download: boolean().withDefault(),
  acquiredAt: timestamp(),
  expiresAt: timestamp().nullable(),
});
