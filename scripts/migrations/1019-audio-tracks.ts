import type { Migration } from './migration.js';

/** The audio tracks of contents, as their owners name and order them. */
export const audioTracks: Migration = {
  name: '1019-audio-tracks',
  up: `
    ALTER TABLE contents ADD COLUMN audio_tracks jsonb;
  `,
};
