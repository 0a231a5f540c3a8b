import type { Migration } from './migration.js';

/** Of several refresh tokens for which one was exchanged, those that are not used: `docs/contract.md#choices-tokens`. */
export const accounts: Migration = {
  name: '0031-accounts',
  up: 'ALTER TABLE refresh_tokens ADD COLUMN ended_at timestamptz;',
};
