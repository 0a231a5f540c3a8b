import type { Migration } from './migration.js';

/** Time up to which the media that a channel needs are prepared. Null: never prepared, or by an earlier release. */
export const preparedUntil: Migration = {
  name: '1023-prepared-until',
  up: 'ALTER TABLE cast_playouts ADD COLUMN prepared_until timestamptz',
};
