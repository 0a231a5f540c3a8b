import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { NewItem } from './box.model.js';

/** An upload that arrives in several requests. Its id is that of its quota reservation, which says when it expires. */
export const ResumableUpload = defineModel('resumable_uploads', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  /** The name sent by the client, for downloads only; never used as a path. */
  fileName: column.text(),
  totalBytes: column.bigint(),
  /** The end of the last piece: from here on the client continues. */
  receivedBytes: column.bigint().withDefault(),
  /** Number of its pieces. */
  pieces: column.integer().withDefault(),
  /** What its box item will be. */
  fields: column.json<NewItem>(),
  /** The same as the client has sent it, which it may ask for. */
  metadata: column.text(),
  progressId: column.text().nullable(),
  /** Its box item, once it is whole. */
  boxId: column.uuid().nullable(),
  /** Another request waits for the lease. */
  wanted: column.boolean().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  finishedAt: column.timestamp().nullable(),
});
export type ResumableUpload = RowOf<typeof ResumableUpload>;

/** A stretch of its file that is stored: `shared/platform/storage/arrival.ts`. */
export const UploadPiece = defineModel('upload_pieces', {
  uploadId: column.uuid().primaryKey(),
  start: column.bigint().primaryKey(),
  bytes: column.bigint(),
  name: column.text(),
});
