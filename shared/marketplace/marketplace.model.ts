import { defineModel, timestamp, uuid, type InstanceOf } from '../platform/database/model.js';
import { conditionColumns } from './conditionColumns.js';

/** A box item offered to other publishers; `docs/contract.md#fields-marketplace-item`. */
export const MarketplaceItem = defineModel('marketplace_items', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  boxItemId: uuid(),
  ...conditionColumns,
  publishedAt: timestamp(),
  updatedAt: timestamp(),
});
export type MarketplaceItem = InstanceOf<typeof MarketplaceItem>;
