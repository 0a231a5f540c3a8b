import type { Migration } from './migration.js';

/** Up to when a channel has what it will need. Null: it was never looked at, or by an earlier release. */
export const preparedUntil: Migration = {
  name: '1023-prepared-until',
  up: 'ALTER TABLE cast_playouts ADD COLUMN prepared_until timestamptz',
};
