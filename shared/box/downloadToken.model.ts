import { column, defineModel } from '../platform/database/model.js';

/** A token for one download of a content; only its hash is stored. */
export const DownloadToken = defineModel('download_tokens', {
  tokenHash: column.bytes().primaryKey(),
  contentId: column.uuid(),
  userId: column.uuid(),
  expiresAt: column.timestamp(),
  usedAt: column.timestamp().nullable(),
  usedFrom: column.text().nullable(),
  /** Time of the resumption. A download can be resumed one time. */
  resumedAt: column.timestamp().nullable(),
});
