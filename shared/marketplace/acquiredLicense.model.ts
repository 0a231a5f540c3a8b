import { column, defineModel } from '../platform/database/model.js';
import { licenseConditionColumns } from './licenseConditionColumns.js';

/**
 * A license that a user has acquired, with the conditions at its acquisition
 * (docs/contract.md#fields-marketplace-license).
 */
export const AcquiredLicense = defineModel('acquired_licenses', {
  id: column.uuid().primaryKey(),
  boxItemId: column.uuid(),
  acquirerId: column.uuid(),
  issuerId: column.uuid(),
  marketplaceId: column.uuid(),
  offeredBoxItemId: column.uuid(),
  ...licenseConditionColumns,
  acquiredAt: column.timestamp(),
  expiresAt: column.timestamp().nullable(),
});
