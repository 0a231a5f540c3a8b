import {
  defineModel,
  bigint,
  integer,
  text,
  textArray,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';
import type { DurationUnit } from '../platform/formats/period.js';

/** VOD items that are sold together by subscription; `docs/contract.md#fields-bundle`. */
export const Bundle = defineModel('bundles', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  name: text(),
  description: text().nullable(),
  priceCents: bigint(),
  duration: integer(),
  durationUnit: text<DurationUnit>(),
  thumbnailId: uuid().nullable(),
  tags: textArray().withDefault(),
  publishedAt: timestamp(),
  /** Deleted by its owner: not found any more, and kept for those who have paid for it. */
  deletedAt: timestamp().nullable(),
  updatedAt: timestamp(),
});
export type Bundle = InstanceOf<typeof Bundle>;

/** An item that left a bundle with subscribers: they may play it until `playsUntil`. */
export const BundleDeparture = defineModel('bundle_departures', {
  vodId: uuid().primaryKey(),
  bundleId: uuid().primaryKey(),
  playsUntil: timestamp(),
});
