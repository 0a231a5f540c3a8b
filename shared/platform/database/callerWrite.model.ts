import { column, defineModel } from './model.js';

/** Position of the write-ahead log after the last request of a caller that may have written. */
export const CallerWrite = defineModel('caller_writes', {
  caller: column.text().primaryKey(),
  walPosition: column.bigint(),
  writtenAt: column.timestamp(),
});
