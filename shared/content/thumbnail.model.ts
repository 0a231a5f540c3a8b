import { defineModel, bigint, integer, text, timestamp, uuid, type InstanceOf } from '../platform/database/model.js';
/** A thumbnail, uploaded or taken from the frames of a content; `docs/contract.md#choices-box`. */
export const Thumbnail = defineModel('thumbnails', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  storageKey: text(),
  mimeType: text(),
  bytes: bigint(),
  width: integer(),
  height: integer(),
  createdAt: timestamp(),
});
export type Thumbnail = InstanceOf<typeof Thumbnail>;
