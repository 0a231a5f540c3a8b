import type { Migration } from './migration.js';

/** The hook of a server that keeps no pictures answers when a live process waits for the media of the run. */
export const connectedRuns: Migration = {
  name: '1041-connected-runs',
  up: 'ALTER TABLE live_runs ADD COLUMN connected_at timestamptz;',
};
