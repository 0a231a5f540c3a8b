import type { Migration } from './migration.js';

/** What a quick generation has found out about its source, for the full one. */
export const measuredSources: Migration = {
  name: '1020-measured-sources',
  up: `
    ALTER TABLE contents ADD COLUMN measured jsonb;
  `,
};
