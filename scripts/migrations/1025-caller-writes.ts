import type { Migration } from './migration.js';

/** How far the write-ahead log was after the last request of a caller that may have changed something: for reads on a replica. */
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
