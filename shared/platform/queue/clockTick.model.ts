import { column, defineModel } from '../database/model.js';

/** A minute in which a scheduled task was enqueued: of several clocks one enqueues it. */
export const ClockTick = defineModel('clock_ticks', {
  task: column.text().primaryKey(),
  minute: column.timestamp().primaryKey(),
});
