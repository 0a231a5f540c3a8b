import type { Migration } from './migration.js';

/** Time at which the activation mail of an account was sent. Mails of existing unactivated accounts count as sent. */
export const activationMails: Migration = {
  name: '1030-activation-mails',
  up: `
    ALTER TABLE users ADD COLUMN activation_mailed_at timestamptz;
    UPDATE users SET activation_mailed_at = created_at WHERE state = 'PENDING';
  `,
};
