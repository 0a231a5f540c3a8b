import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** A change of the e-mail address of an account, requested or made; kept so that the old address can be informed. */
export const EmailChange = defineModel('email_changes', {
  id: column.uuid().primaryKey(),
  userId: column.uuid(),
  oldEmail: column.text(),
  newEmail: column.text(),
  /** Hash of the single-use token of the mailed link; null before the mail was sent. */
  tokenHash: column.bytes().nullable(),
  createdAt: column.timestamp(),
  /** It cannot be confirmed after this. */
  expiresAt: column.timestamp(),
  /** When it took effect. */
  appliedAt: column.timestamp().nullable(),
});
export type EmailChange = RowOf<typeof EmailChange>;
