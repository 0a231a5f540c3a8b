import { column, defineModel } from './model.js';

/** How far the write-ahead log was after the last request of a caller that may have changed something. */
export const CallerWrite = defineModel('caller_writes', {
  caller: column.text().primaryKey(),
  walPosition: column.bigint(),
  writtenAt: column.timestamp(),
});
