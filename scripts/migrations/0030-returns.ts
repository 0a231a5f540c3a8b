import type { Migration } from './migration.js';

/** Attempts that ended because a server was away, or the process stopped, do not count (`workers/media/attempts.ts`). */
export const returns: Migration = {
  name: '0030-returns',
  up: `
    ALTER TABLE contents ADD COLUMN returns integer NOT NULL DEFAULT 0;
    ALTER TABLE chunks ADD COLUMN returns integer NOT NULL DEFAULT 0;
    ALTER TABLE cast_cuts ADD COLUMN returns integer NOT NULL DEFAULT 0;
    ALTER TABLE cast_slates ADD COLUMN returns integer NOT NULL DEFAULT 0;
  `,
};
