import { defineModel, integer, timestamp, uuid } from '../platform/database/model.js';

/** A generation that played until another one replaced it. Its files are kept for its viewers (`docs/content-states.md`). */
export const ReplacedGeneration = defineModel('replaced_generations', {
  contentId: uuid().primaryKey(),
  generation: integer().primaryKey(),
  /** When the last grant for its files has expired. */
  keptUntil: timestamp(),
});
