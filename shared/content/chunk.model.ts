import type { ChunkResult } from './chunkResult.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** One chunk of one generation of a content, transcoded by one job into every rendition. */
export const ChunkRecord = defineModel('chunks', {
  contentId: column.uuid().primaryKey(),
  generation: column.integer().primaryKey(),
  position: column.integer().primaryKey(),
  /** FAILED is never written: a failed chunk becomes PENDING again, or its content fails. */
  state: column.text<'PENDING' | 'RUNNING' | 'DONE' | 'FAILED'>(),
  /** Belongs to a quick generation, whose chunks have a separate queue. */
  quick: column.boolean().withDefault(),
  /** Order in the queue; lower runs first. */
  priority: column.integer(),
  /** Number of transcoding attempts. */
  attempt: column.integer().withDefault(),
  /** Number of attempts that do not count, because a server was unavailable or the process stopped. */
  returns: column.integer().withDefault(),
  /** Number of failures caused by the chunk's own media. */
  failures: column.integer().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  /** 0..1 */
  progress: column.real().withDefault(),
  /** Folder of the successful attempt, relative to the generation's folder. */
  folder: column.text().nullable(),
  result: column.json<ChunkResult>().nullable(),
  failureDetail: column.text().nullable(),
  updatedAt: column.timestamp(),
});
export type ChunkRecord = RowOf<typeof ChunkRecord>;
