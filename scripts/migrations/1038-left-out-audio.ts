import type { Migration } from './migration.js';

/** The source's audio tracks that do not play, for the content's owner. */
export const leftOutAudio: Migration = {
  name: '1038-left-out-audio',
  up: `ALTER TABLE contents ADD COLUMN left_out_audio jsonb;`,
};
