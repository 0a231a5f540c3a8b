import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { NewItem } from './box.model.js';

/**
 * An upload while it arrives: a form, or a file in several requests. Its id is that of its quota reservation, which says when it
 * expires.
 */
export const ArrivingUpload = defineModel('arriving_uploads', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  /** The name sent by the client, for downloads only; never used as a path. */
  fileName: column.text(),
  /** Of the file; of a form, which is a little longer. 0: an import whose server has not responded. Null: its client will say it later. */
  totalBytes: column.bigint().nullable(),
  /** The end of the last piece: from here on the client continues. */
  receivedBytes: column.bigint().withDefault(),
  /** Number of its pieces. */
  pieces: column.integer().withDefault(),
  /** What its box item will be. Null: it is a form, whose fields may come behind the file. */
  fields: column.json<NewItem>().nullable(),
  /** The same as the client has sent it, which it may ask for. */
  metadata: column.text().nullable(),
  progressId: column.text().nullable(),
  /** The content that is made of it while it arrives. */
  contentId: column.uuid().nullable(),
  /** Where it is fetched from. Null: its client sends it. */
  sourceUrl: column.text().nullable(),
  /** `ETag` or `Last-Modified` of that file. */
  sourceValidator: column.text().nullable(),
  /** Of an import: its place in the queue (`importQueue.service.ts`), and since when, or from when on, it waits for a worker. */
  priority: column.integer().nullable(),
  continueAt: column.timestamp().nullable(),
  /** Requests one after the other that have brought nothing of an import. */
  failures: column.integer().withDefault(),
  /** Of an import: whether its server sends a part of the file, so that a later request can continue. Null: not yet known. */
  resumable: column.boolean().nullable(),
  /** Its box item, once it is whole; of an import, from its beginning. */
  boxId: column.uuid().nullable(),
  /** Another request waits for the lease. */
  wanted: column.boolean().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  finishedAt: column.timestamp().nullable(),
});
export type ArrivingUpload = RowOf<typeof ArrivingUpload>;

/** A stretch of its file that is stored: `shared/platform/storage/arrival.ts`. */
export const UploadPiece = defineModel('upload_pieces', {
  uploadId: column.uuid().primaryKey(),
  start: column.bigint().primaryKey(),
  bytes: column.bigint(),
  name: column.text(),
});
