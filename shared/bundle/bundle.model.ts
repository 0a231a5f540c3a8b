import { describedColumns } from '../content/describedItem.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { DurationUnit } from '../platform/formats/period.js';

/** VOD items that are sold together by subscription; `docs/contract.md#fields-bundle`. */
export const Bundle = defineModel('bundles', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  priceCents: column.bigint(),
  duration: column.integer(),
  durationUnit: column.text<DurationUnit>(),
  publishedAt: column.timestamp(),
  /** Set when the owner deletes the bundle: it is no longer found, but kept for users who have paid for it. */
  deletedAt: column.timestamp().nullable(),
  updatedAt: column.timestamp(),
});
export type Bundle = RowOf<typeof Bundle>;

/** An item that was removed from a bundle with subscribers: they may play it until `playsUntil`. */
export const BundleDeparture = defineModel('bundle_departures', {
  vodId: column.uuid().primaryKey(),
  bundleId: column.uuid().primaryKey(),
  playsUntil: column.timestamp(),
});
