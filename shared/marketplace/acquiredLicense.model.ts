import { defineModel, timestamp, uuid } from '../platform/database/model.js';
import { conditionColumns } from './conditionColumns.js';

/** A license that a user has acquired, with the conditions agreed then (docs/contract.md#fields-marketplace-license). */
export const AcquiredLicense = defineModel('acquired_licenses', {
  id: uuid().primaryKey(),
  boxItemId: uuid(),
  acquirerId: uuid(),
  issuerId: uuid(),
  marketplaceId: uuid(),
  offeredBoxItemId: uuid(),
  ...conditionColumns,
  acquiredAt: timestamp(),
  expiresAt: timestamp().nullable(),
});
