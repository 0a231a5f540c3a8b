import type { Migration } from './migration.js';

/** The owner reads which subtitles of a source became no captions, and why. */
export const leftOutSubtitles: Migration = {
  name: '1032-left-out-subtitles',
  up: `ALTER TABLE contents ADD COLUMN left_out_subtitles jsonb;`,
};
