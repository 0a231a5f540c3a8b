import { defineModel, text, timestamp } from '../database/model.js';

/** A minute in which a scheduled task was enqueued: of several clocks one enqueues it. */
export const ClockTick = defineModel('clock_ticks', {
  task: text().primaryKey(),
  minute: timestamp().primaryKey(),
});
