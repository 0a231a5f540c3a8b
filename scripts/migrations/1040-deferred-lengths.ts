import type { Migration } from './migration.js';

/** An upload may begin before its client knows the length of the file: `total_bytes` is then null. */
export const deferredLengths: Migration = {
  name: '1040-deferred-lengths',
  up: `
    ALTER TABLE arriving_uploads ALTER COLUMN total_bytes DROP NOT NULL;
  `,
};
