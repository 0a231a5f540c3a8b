import type { Migration } from './migration.js';

/** Counts of each process's work in progress. Unlogged: after a crash of the server, the processes write them again. */
export const sharedCounts: Migration = {
  name: '1026-shared-counts',
  up: `
    CREATE UNLOGGED TABLE shared_counts (
      key text NOT NULL,
      process_id uuid NOT NULL,
      count integer NOT NULL,
      lease_until timestamptz NOT NULL,
      PRIMARY KEY (key, process_id)
    );
    CREATE INDEX shared_counts_process_id ON shared_counts (process_id);
    CREATE INDEX shared_counts_lease_until ON shared_counts (lease_until);
  `,
};
