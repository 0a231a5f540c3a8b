import {
  defineModel,
  bigint,
  boolean,
  integer,
  json,
  text,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';
import type { ContentPlan } from './plan.js';

/** DELETED is a tombstone: the rows and files go by job. */
export type ContentState = 'PENDING' | 'READY' | 'FAILED' | 'DELETED';

/** A stored asset: its source file, and pointers to the generation that plays. */
export const Content = defineModel('contents', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  state: text<ContentState>(),
  /** Message key of why it failed, for the owner. */
  failureKey: text().nullable(),
  /** The same for the log and the operators. */
  failureDetail: text().nullable(),
  sourceKey: text(),
  /** The name the file was uploaded under; for downloads only, never a path. */
  sourceName: text(),
  /** bigint: arrives as a string of digits. */
  sourceBytes: bigint(),
  /** The generation being made. */
  generation: integer().withDefault(),
  /** The generation that plays; flipped once, when every chunk of it has been verified. */
  readyGeneration: integer().nullable(),
  /** The last generation that could not be made. While `generation` is above this and the ready one, it is in the making. */
  failedGeneration: integer().nullable(),
  durationMs: bigint().nullable(),
  width: integer().nullable(),
  height: integer().nullable(),
  hasVideo: boolean().nullable(),
  hasAudio: boolean().nullable(),
  plan: json<ContentPlan>().nullable(),
  thumbnailId: uuid().nullable(),
  renditionBytes: bigint().withDefault(),
  thumbnailBytes: bigint().withDefault(),
  /** How often ingestion has begun. */
  attempt: integer().withDefault(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  createdAt: timestamp(),
  readyAt: timestamp().nullable(),
  updatedAt: timestamp(),
});
export type Content = InstanceOf<typeof Content>;
