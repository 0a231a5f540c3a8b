import { column, defineModel } from './database/model.js';

/** How many calls of a key are in progress in a process. A process that has died no longer counts after `leaseUntil`. */
export const SharedCount = defineModel('shared_counts', {
  key: column.text().primaryKey(),
  processId: column.uuid().primaryKey(),
  count: column.integer(),
  leaseUntil: column.timestamp(),
});
