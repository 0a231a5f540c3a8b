import { column, defineModel } from '../platform/database/model.js';

/**
 * A generation that played until another one replaced it. Its files are kept for its viewers
 * (`docs/architecture.md#content-states`).
 */
export const ReplacedGeneration = defineModel('replaced_generations', {
  contentId: column.uuid().primaryKey(),
  generation: column.integer().primaryKey(),
  /** Expiry of the last grant for its files. */
  keptUntil: column.timestamp(),
});
