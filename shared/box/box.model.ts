import { describedColumns, type TitledInput } from '../content/describedItem.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';
export type BoxSource = 'UPLOAD' | 'MARKET_PLACE' | 'LIVE';

/** A content in a user's box; `docs/contract.md#fields-box-item`. */
export const BoxItem = defineModel('box_items', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  contentId: column.uuid(),
  source: column.text<BoxSource>(),
  title: column.text(),
  /** If `thumbnailId` is null, the content's thumbnail is shown. */
  ...describedColumns,
  createdAt: column.timestamp(),
  expiresAt: column.timestamp().nullable(),
  updatedAt: column.timestamp(),
});
export type BoxItem = RowOf<typeof BoxItem>;

/** The members that the owner sends for a new item. */
export interface NewItem extends TitledInput {
  readonly contentIdentifier?: string | undefined;
}
