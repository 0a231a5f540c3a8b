import {
  defineModel,
  bigint,
  boolean,
  integer,
  text,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';
import type { DurationUnit } from '../platform/formats/period.js';
import type { MarketplaceLicenseType } from './conditions.js';

/** A box item offered to other publishers; `docs/contract.md#fields-marketplace-item`. */
export const MarketplaceItem = defineModel('marketplace_items', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  boxItemId: uuid(),
  licenseType: text<MarketplaceLicenseType>(),
  ccType: text().nullable(),
  activationPriceCents: bigint().nullable(),
  pricePerViewCents: bigint().nullable(),
  earningBasisPoints: integer().nullable(),
  duration: integer().nullable(),
  durationUnit: text<DurationUnit>().nullable(),
  download: boolean().withDefault(),
  publishedAt: timestamp(),
  updatedAt: timestamp(),
});
export type MarketplaceItem = InstanceOf<typeof MarketplaceItem>;
