import { column, defineModel, type RowOf } from '../platform/database/model.js';
import { licenseConditionColumns } from './licenseConditionColumns.js';

/** A box item offered to other publishers; `docs/contract.md#fields-marketplace-item`. */
export const MarketplaceItem = defineModel('marketplace_items', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  boxItemId: column.uuid(),
  ...licenseConditionColumns,
  publishedAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type MarketplaceItem = RowOf<typeof MarketplaceItem>;
