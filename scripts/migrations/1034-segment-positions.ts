import type { Migration } from './migration.js';

/** Position of a segment in the media of its stream, without the times in which no encoder published. */
export const segmentPositions: Migration = {
  name: '1034-segment-positions',
  up: `
    ALTER TABLE live_sessions ADD COLUMN next_position_microseconds bigint NOT NULL DEFAULT 0;
    ALTER TABLE live_segments ADD COLUMN position_microseconds bigint NOT NULL DEFAULT 0;
  `,
};
