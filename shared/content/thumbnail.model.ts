import { column, defineModel, type RowOf } from '../platform/database/model.js';
/** A thumbnail, uploaded or taken from the frames of a content; `docs/contract.md#choices-box`. */
export const Thumbnail = defineModel('thumbnails', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  storageKey: column.text(),
  mimeType: column.text(),
  bytes: column.bigint(),
  width: column.integer(),
  height: column.integer(),
  createdAt: column.timestamp(),
});
export type Thumbnail = RowOf<typeof Thumbnail>;
