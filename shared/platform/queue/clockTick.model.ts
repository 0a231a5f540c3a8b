import { column, defineModel } from '../database/model.js';

/** A minute in which a scheduled task was enqueued, so that only one of several clocks enqueues it. */
export const ClockTick = defineModel('clock_ticks', {
  task: column.text().primaryKey(),
  minute: column.timestamp().primaryKey(),
});
