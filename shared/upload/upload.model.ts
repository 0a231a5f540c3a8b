import type { NewItem } from '../box/box.model.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** How a file arrives: in one body (a form, or a recording), by tus in several requests, or fetched from an address. */
export type UploadKind = 'form' | 'tus' | 'import';

/** An upload while it arrives. Its id is that of its quota reservation, which says when it expires. */
export const ArrivingUpload = defineModel('arriving_uploads', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  /** Generated from the columns below (`1044-upload-kinds`): it is never written. */
  kind: column.text<UploadKind>().withDefault(),
  /** The name sent by the client, for downloads only; never used as a path. */
  fileName: column.text(),
  /** Of the file; of a form, which is a little longer. 0: an import whose server has not responded. Null: its client declares it later. */
  totalBytes: column.bigint().nullable(),
  /** The end of the last piece: the client continues from here. */
  receivedBytes: column.bigint().withDefault(),
  /** Number of its pieces. */
  pieces: column.integer().withDefault(),
  /** tus: the fields of its future box item. The fields of a form may come behind its file. */
  fields: column.json<NewItem>().nullable(),
  /** tus: `Upload-Metadata` as the client has sent it, for the response to HEAD. */
  metadata: column.text().nullable(),
  progressId: column.text().nullable(),
  /** The content that is processed while the file arrives. */
  contentId: column.uuid().nullable(),
  /** Import: the address. */
  sourceUrl: column.text().nullable(),
  /** Import: `ETag` or `Last-Modified` of the file. */
  sourceValidator: column.text().nullable(),
  /** Import: its place in the queue (`importQueue.service.ts`), and since when, or from when on, it waits for a worker. */
  priority: column.integer().nullable(),
  continueAt: column.timestamp().nullable(),
  /** Import: consecutive requests that have brought nothing. */
  failures: column.integer().withDefault(),
  /** Import: whether its server sends a part of the file, so that a later request can continue. Null: not yet known. */
  resumable: column.boolean().nullable(),
  /** Its box item, once the file is complete; of an import, from its beginning. */
  boxId: column.uuid().nullable(),
  /** Another request waits for the lease. */
  wanted: column.boolean().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  finishedAt: column.timestamp().nullable(),
});
export type ArrivingUpload = RowOf<typeof ArrivingUpload>;

/** A stretch of the file that is stored: `shared/platform/storage/arrival.ts`. */
export const UploadPiece = defineModel('upload_pieces', {
  uploadId: column.uuid().primaryKey(),
  start: column.bigint().primaryKey(),
  bytes: column.bigint(),
  name: column.text(),
});

/** Progress of an upload, for the progress bar of a client. */
export const UploadProgressRecord = defineModel('upload_progress', {
  userId: column.uuid().primaryKey(),
  progressId: column.text().primaryKey(),
  percent: column.integer(),
  updatedAt: column.timestamp(),
});
