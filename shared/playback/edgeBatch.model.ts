import { column, defineModel } from '../platform/database/model.js';

/** A counted usage report of an edge or CDN. */
export const EdgeBatch = defineModel('edge_batches', {
  id: column.text().primaryKey(),
  receivedAt: column.timestamp(),
});
