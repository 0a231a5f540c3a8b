import { column, defineModel } from './model.js';

/**
 * Where a walk over all rows of a table, or all files, goes on. A run does a part of it, the next one the next part; at the end
 * it begins again. A crash costs the part between two stored positions.
 */
export const SweepPosition = defineModel('sweep_positions', {
  sweep: column.text().primaryKey(),
  position: column.text(),
  updatedAt: column.timestamp(),
});
