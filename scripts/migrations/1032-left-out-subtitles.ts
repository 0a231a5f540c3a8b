import type { Migration } from './migration.js';

/** The source's subtitles that were not converted to captions, with the reasons, for the content's owner. */
export const leftOutSubtitles: Migration = {
  name: '1032-left-out-subtitles',
  up: `ALTER TABLE contents ADD COLUMN left_out_subtitles jsonb;`,
};
