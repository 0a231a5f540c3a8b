import type { Migration } from './migration.js';

/** Write-ahead log position after a caller's last request that may have written: for reads on a replica. */
export const callerWrites: Migration = {
  name: '1025-caller-writes',
  up: `
    CREATE TABLE caller_writes (
      caller text PRIMARY KEY,
      wal_position bigint NOT NULL,
      written_at timestamptz NOT NULL
    );
    CREATE INDEX caller_writes_written_at ON caller_writes (written_at);
  `,
};
