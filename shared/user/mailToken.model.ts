import { column, defineModel } from '../platform/database/model.js';

/** A single-use token of a mailed link; only its hash is stored. */
export const MailToken = defineModel('mail_tokens', {
  tokenHash: column.bytes().primaryKey(),
  userId: column.uuid(),
  purpose: column.text<'ACTIVATION' | 'RENEWAL'>(),
  expiresAt: column.timestamp(),
});
