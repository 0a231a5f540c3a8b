import type { Migration } from './migration.js';

/** The owner reads which audio tracks of a source do not play. */
export const leftOutAudio: Migration = {
  name: '1038-left-out-audio',
  up: `ALTER TABLE contents ADD COLUMN left_out_audio jsonb;`,
};
