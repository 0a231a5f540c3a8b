import { defineModel, text, textArray, timestamp, uuid, type InstanceOf } from '../platform/database/model.js';
export type BoxSource = 'UPLOAD' | 'MARKET_PLACE' | 'LIVE';

/** A user's holding of a content; `docs/contract.md#fields-box-item`. */
export const BoxItem = defineModel('box_items', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  contentId: uuid(),
  source: text<BoxSource>(),
  title: text(),
  description: text().nullable(),
  tags: textArray().withDefault(),
  /** The owner's own choice; where null, the content's picture serves. */
  thumbnailId: uuid().nullable(),
  createdAt: timestamp(),
  expiresAt: timestamp().nullable(),
  updatedAt: timestamp(),
});
export type BoxItem = InstanceOf<typeof BoxItem>;
