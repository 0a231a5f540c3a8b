import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** A requested or completed change of an account's e-mail address; kept so that the old address can be notified. */
export const EmailChange = defineModel('email_changes', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  oldEmail: column.text(),
  newEmail: column.text(),
  /** Hash of the single-use token of the mailed link; null before the mail was sent. */
  tokenHash: column.bytes().nullable(),
  createdAt: column.timestamp(),
  /** Time after which it cannot be confirmed. */
  expiresAt: column.timestamp(),
  /** Time at which it took effect. */
  appliedAt: column.timestamp().nullable(),
});
export type EmailChange = RowOf<typeof EmailChange>;
