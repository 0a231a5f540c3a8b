import type { Migration } from './migration.js';

/** The hook of a server that does not buffer media responds when a live process is connected and waits for the run's media. */
export const connectedRuns: Migration = {
  name: '1041-connected-runs',
  up: 'ALTER TABLE live_runs ADD COLUMN connected_at timestamptz;',
};
