import type { Migration } from './migration.js';

/**
 * Captions: whether they are forced or shown by default, and the number of omitted cues. Contents: the number of omitted chapters.
 */
export const sourceTracks: Migration = {
  name: '1039-source-tracks',
  up: `
    ALTER TABLE captions
      ADD COLUMN forced boolean NOT NULL DEFAULT false,
      ADD COLUMN shown_by_default boolean NOT NULL DEFAULT false,
      ADD COLUMN left_out_cues integer NOT NULL DEFAULT 0;
    ALTER TABLE contents ADD COLUMN left_out_chapters integer NOT NULL DEFAULT 0;
  `,
};
