import { defineModel, bytes, integer, text, timestamp, uuid } from '../platform/database/model.js';

/** How much of an upload has arrived, for the progress bar. */
export const UploadProgressRecord = defineModel('upload_progress', {
  userId: uuid().primaryKey(),
  progressId: text().primaryKey(),
  percent: integer(),
  updatedAt: timestamp(),
});

/** A token that downloads one content; only its hash is stored. */
export const DownloadToken = defineModel('download_tokens', {
  tokenHash: bytes().primaryKey(),
  contentId: uuid(),
  userId: uuid(),
  expiresAt: timestamp(),
  usedAt: timestamp().nullable(),
  usedFrom: text().nullable(),
});
