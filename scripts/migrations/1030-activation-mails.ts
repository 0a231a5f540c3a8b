import type { Migration } from './migration.js';

/**
 * When the mail with the activation link of an account left. Those of accounts that wait for their activation have left, or were
 * given up.
 */
export const activationMails: Migration = {
  name: '1030-activation-mails',
  up: `
    ALTER TABLE users ADD COLUMN activation_mailed_at timestamptz;
    UPDATE users SET activation_mailed_at = created_at WHERE state = 'PENDING';
  `,
};
