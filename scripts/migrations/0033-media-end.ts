import type { Migration } from './migration.js';

/** The owner reads how much of the end of a damaged source is missing. */
export const mediaEnd: Migration = {
  name: '0033-media-end',
  up: `
    ALTER TABLE contents ADD COLUMN missing_end_seconds real NOT NULL DEFAULT 0;
  `,
};
