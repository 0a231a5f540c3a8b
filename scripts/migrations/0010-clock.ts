import type { Migration } from './migration.js';

/** What the clock has enqueued: one row per task and minute, so that several clocks enqueue a task once. */
export const clock: Migration = {
  name: '0010-clock',
  up: `
    CREATE TABLE clock_ticks (
      task text NOT NULL,
      minute timestamptz NOT NULL,
      PRIMARY KEY (task, minute)
    );
    CREATE INDEX clock_ticks_minute ON clock_ticks (minute);
  `,
};
