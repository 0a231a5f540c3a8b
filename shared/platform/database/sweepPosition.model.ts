import { column, defineModel } from './model.js';

/**
 * Position of a sweep that walks over all rows of a table, or all files. Each run processes the next part; after the end it
 * starts again. A crash repeats only the part since the last stored position.
 */
export const SweepPosition = defineModel('sweep_positions', {
  sweep: column.text().primaryKey(),
  position: column.text(),
  updatedAt: column.timestamp(),
});
