import { defineModel, integer, json, real, text, timestamp, uuid } from '../platform/database/model.js';

/** One chunk of one generation of a content, transcoded by one job into every rendition. */
export const ChunkRecord = defineModel('chunks', {
  contentId: uuid().primaryKey(),
  generation: integer().primaryKey(),
  position: integer().primaryKey(),
  state: text<'PENDING' | 'RUNNING' | 'DONE' | 'FAILED'>(),
  priority: integer(),
  attempt: integer().withDefault(),
  failures: integer().withDefault(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  progress: real().withDefault(),
  folder: text().nullable(),
  result: json<object>().nullable(),
  failureDetail: text().nullable(),
  updatedAt: timestamp(),
});
