import { defineModel, bytes, text, timestamp, uuid } from '../platform/database/model.js';

/** A single-use token of a mailed link; only its hash is stored. */
export const MailToken = defineModel('mail_tokens', {
  tokenHash: bytes().primaryKey(),
  userId: uuid(),
  purpose: text<'ACTIVATION' | 'RENEWAL'>(),
  expiresAt: timestamp(),
});
