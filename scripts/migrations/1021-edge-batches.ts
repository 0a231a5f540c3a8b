import type { Migration } from './migration.js';

/** Reports of edges that have been counted, so that one that is sent again is not counted twice. */
export const edgeBatches: Migration = {
  name: '1021-edge-batches',
  up: `
    CREATE TABLE edge_batches (
      id text PRIMARY KEY,
      received_at timestamptz NOT NULL
    );
    CREATE INDEX edge_batches_received_at ON edge_batches (received_at);
  `,
};
