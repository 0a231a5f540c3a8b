import { defineModel, bytes, text, timestamp, uuid, type InstanceOf } from '../platform/database/model.js';

/** A change of the e-mail address of an account, requested or made; kept so that the old address can be informed. */
export const EmailChange = defineModel('email_changes', {
  id: uuid().primaryKey(),
  userId: uuid(),
  oldEmail: text(),
  newEmail: text(),
  /** Hash of the single-use token of the mailed link; null before the mail was sent. */
  tokenHash: bytes().nullable(),
  createdAt: timestamp(),
  /** It cannot be confirmed after this. */
  expiresAt: timestamp(),
  /** When it took effect. */
  appliedAt: timestamp().nullable(),
});
export type EmailChange = InstanceOf<typeof EmailChange>;
