import { defineModel, text, textArray, timestamp, uuid, type InstanceOf } from '../platform/database/model.js';
export type BoxSource = 'UPLOAD' | 'MARKET_PLACE' | 'LIVE';

/** A content in a user's box; `docs/contract.md#fields-box-item`. */
export const BoxItem = defineModel('box_items', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  contentId: uuid(),
  source: text<BoxSource>(),
  title: text(),
  description: text().nullable(),
  tags: textArray().withDefault(),
  /** Chosen by the owner; where null, the content's thumbnail is shown. */
  thumbnailId: uuid().nullable(),
  createdAt: timestamp(),
  expiresAt: timestamp().nullable(),
  updatedAt: timestamp(),
});
export type BoxItem = InstanceOf<typeof BoxItem>;
