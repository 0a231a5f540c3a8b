import type { Migration } from './migration.js';

/** Measurements of the source by the quick generation, for the full generation. */
export const measuredSources: Migration = {
  name: '1020-measured-sources',
  up: `
    ALTER TABLE contents ADD COLUMN measured jsonb;
  `,
};
