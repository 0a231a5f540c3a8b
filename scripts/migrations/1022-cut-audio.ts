import type { Migration } from './migration.js';

/**
 * The audio of a cut in every track of its content. Null: encoded by an earlier release, with the default track in the cut's
 * renditions.
 */
export const cutAudio: Migration = {
  name: '1022-cut-audio',
  up: 'ALTER TABLE cast_cuts ADD COLUMN audio jsonb',
};
