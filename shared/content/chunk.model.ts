import type { ChunkResult } from './chunkResult.js';
import {
  defineModel,
  integer,
  json,
  real,
  text,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';

/** One chunk of one generation of a content, transcoded by one job into every rendition. */
export const ChunkRecord = defineModel('chunks', {
  contentId: uuid().primaryKey(),
  generation: integer().primaryKey(),
  position: integer().primaryKey(),
  /** FAILED is never written: a failed chunk waits again, or its content fails. */
  state: text<'PENDING' | 'RUNNING' | 'DONE' | 'FAILED'>(),
  /** Order in the queue; lower runs first. */
  priority: integer(),
  /** How often transcoding has begun. */
  attempt: integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: integer().withDefault(),
  /** How often its own media were at fault. */
  failures: integer().withDefault(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  /** 0..1 */
  progress: real().withDefault(),
  /** Folder of the attempt whose files are the result, relative to the folder of the generation. */
  folder: text().nullable(),
  result: json<ChunkResult>().nullable(),
  failureDetail: text().nullable(),
  updatedAt: timestamp(),
});
export type ChunkRecord = InstanceOf<typeof ChunkRecord>;
