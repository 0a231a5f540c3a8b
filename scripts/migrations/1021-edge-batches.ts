import type { Migration } from './migration.js';

/** Counted reports of edges, so that a repeated report is not counted twice. */
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
