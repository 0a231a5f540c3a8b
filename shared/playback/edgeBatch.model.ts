import { column, defineModel } from '../platform/database/model.js';

/** A report of an edge that has been counted. */
export const EdgeBatch = defineModel('edge_batches', {
  id: column.text().primaryKey(),
  receivedAt: column.timestamp(),
});
