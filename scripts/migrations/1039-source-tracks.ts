import type { Migration } from './migration.js';

/**
 * Captions know whether they are forced or shown by default, and how many cues of their file were left out; contents, how many chapters
 * of their source.
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
