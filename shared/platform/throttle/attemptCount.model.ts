import { column, defineModel } from '../database/model.js';

/** Attempts of a subject within a time window. */
export const AttemptCount = defineModel('attempt_counts', {
  subject: column.text().primaryKey(),
  attempts: column.integer(),
  windowEndsAt: column.timestamp(),
});
