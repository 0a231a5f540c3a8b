import { column, defineModel } from './database/model.js';

/** Calls of a key in progress in one process. The count of a dead process expires at `leaseUntil`. */
export const SharedCount = defineModel('shared_counts', {
  key: column.text().primaryKey(),
  processId: column.uuid().primaryKey(),
  count: column.integer(),
  leaseUntil: column.timestamp(),
});
