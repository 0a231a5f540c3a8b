import { column, defineModel } from '../platform/database/model.js';

/** Progress of an upload, for the progress bar of a client. */
export const UploadProgressRecord = defineModel('upload_progress', {
  userId: column.uuid().primaryKey(),
  progressId: column.text().primaryKey(),
  percent: column.integer(),
  updatedAt: column.timestamp(),
});

/** A token for one download of a content; only its hash is stored. */
export const DownloadToken = defineModel('download_tokens', {
  tokenHash: column.bytes().primaryKey(),
  contentId: column.uuid(),
  userId: column.uuid(),
  expiresAt: column.timestamp(),
  usedAt: column.timestamp().nullable(),
  usedFrom: column.text().nullable(),
  /** When the one resumption was requested. */
  resumedAt: column.timestamp().nullable(),
});
