import { defineModel, bytes, integer, text, timestamp, uuid } from '../platform/database/model.js';

/** Progress of an upload, for the progress bar of a client. */
export const UploadProgressRecord = defineModel('upload_progress', {
  userId: uuid().primaryKey(),
  progressId: text().primaryKey(),
  percent: integer(),
  updatedAt: timestamp(),
});

/** A token for one download of a content; only its hash is stored. */
export const DownloadToken = defineModel('download_tokens', {
  tokenHash: bytes().primaryKey(),
  contentId: uuid(),
  userId: uuid(),
  expiresAt: timestamp(),
  usedAt: timestamp().nullable(),
  usedFrom: text().nullable(),
  /** When the one resumption was requested. */
  resumedAt: timestamp().nullable(),
});
