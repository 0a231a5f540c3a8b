import type { NewItem } from '../box/box.model.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** The kind of an upload: one body (a form, or a recording), several tus requests, or a file fetched from an address. */
export type UploadKind = 'form' | 'tus' | 'import';

/** An arriving upload. Its id is that of its quota reservation, which contains its expiry. */
export const ArrivingUpload = defineModel('arriving_uploads', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  /** Generated from the columns below (`1044-upload-kinds`): it is never written. */
  kind: column.text<UploadKind>().withDefault(),
  /** The name sent by the client, for downloads only; never used as a path. */
  fileName: column.text(),
  /**
   * Size of the file; for a form, of its body, which is a little longer. 0: an import whose server has not responded. Null: not
   * declared yet.
   */
  totalBytes: column.bigint().nullable(),
  /** End of the last piece: the client continues at this offset. */
  receivedBytes: column.bigint().withDefault(),
  /** Number of recorded pieces. */
  pieces: column.integer().withDefault(),
  /** tus: the fields of the future box item. A form may send its fields after its file. */
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
  /**
   * Import: its priority in the queue (`importQueue.service.ts`), and the past or future time from which it waits for a worker.
   */
  priority: column.integer().nullable(),
  continueAt: column.timestamp().nullable(),
  /** Import: consecutive requests that fetched no bytes. */
  failures: column.integer().withDefault(),
  /** Import: whether its server supports range requests, so that a later request can continue. Null: not known yet. */
  resumable: column.boolean().nullable(),
  /** The box item: set when the file is complete, for an import from the beginning. */
  boxId: column.uuid().nullable(),
  /** Another request waits for the lease. */
  wanted: column.boolean().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  finishedAt: column.timestamp().nullable(),
});
export type ArrivingUpload = RowOf<typeof ArrivingUpload>;

/** A stored byte range of the file: `shared/platform/storage/arrival.ts`. */
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
