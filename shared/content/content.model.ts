import type { Grid } from './chunkPlan.js';
import type { ContentPlan } from './plan.js';
import {
  defineModel,
  bigint,
  boolean,
  integer,
  json,
  real,
  text,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';

/** DELETED is a tombstone: a job removes the rows and files. The transitions: `docs/content-states.md`. */
export type ContentState = 'PENDING' | 'READY' | 'FAILED' | 'DELETED';

/** A stored asset: its source file, and pointers to the generation that plays. */
export const Content = defineModel('contents', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  /** Name of the folder of its files below `content/` (`storageKeys.ts`). Null: the id is the name. */
  folder: text().nullable(),
  state: text<ContentState>(),
  /** Message key of the reason of the failure, for the owner. */
  failureKey: text().nullable(),
  /** The reason of the last failure, for operators. */
  failureDetail: text().nullable(),
  sourceKey: text(),
  /** The name the file was uploaded under; for downloads only, never a path. */
  sourceName: text(),
  sourceBytes: bigint(),
  /** Made of live segments: it may be as long as an event, and its timestamps are exact. */
  recorded: boolean().withDefault(),
  /** The newest generation. */
  generation: integer().withDefault(),
  /** The newest generation is made quickly, and does not have all renditions. A full one follows it. */
  quick: boolean().withDefault(),
  /** The owner can watch what is stored of the newest generation while it is made. */
  growing: boolean().withDefault(),
  /** How much of a quick generation is copied, 0..1; it has no chunks until it is whole. */
  progress: real().withDefault(),
  /** Its length is counted in the media minutes of the owner. */
  mediaCounted: boolean().withDefault(),
  /** The generation that plays. Set once per generation, when every chunk of it has been verified. */
  readyGeneration: integer().nullable(),
  /** The attempt of ingestion that has copied that generation: its playlists have this number. Null: it was encoded. */
  readyAttempt: integer().nullable(),
  /**
   * How the generation that plays is divided into segments; `plan` is that of the newest generation. Null where a quick
   * generation plays.
   */
  readyGrid: json<Grid>().nullable(),
  /** The last generation that failed. While `generation` is above this and the ready one, it is being processed. */
  failedGeneration: integer().nullable(),
  durationMs: bigint().nullable(),
  width: integer().nullable(),
  height: integer().nullable(),
  hasVideo: boolean().nullable(),
  hasAudio: boolean().nullable(),
  /** So many seconds at the end of the source are damaged or missing. */
  missingEndSeconds: real().withDefault(),
  plan: json<ContentPlan>().nullable(),
  thumbnailId: uuid().nullable(),
  renditionBytes: bigint().withDefault(),
  thumbnailBytes: bigint().withDefault(),
  /** How often ingestion of the newest generation has begun. */
  attempt: integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: integer().withDefault(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  createdAt: timestamp(),
  readyAt: timestamp().nullable(),
  updatedAt: timestamp(),
});
export type Content = InstanceOf<typeof Content>;

/** What is needed of a content to play it. */
export type PlayableContent = Pick<
  Content,
  'id' | 'folder' | 'state' | 'readyGeneration' | 'readyAttempt' | 'durationMs'
>;

/** The same, where the owner may watch what is stored of it before it is READY. */
export type WatchableContent = PlayableContent & Pick<Content, 'generation' | 'growing'>;

/** The id of a content that was removed. It is never given to another content. */
export const DeletedContent = defineModel('deleted_contents', {
  contentId: uuid().primaryKey(),
  deletedAt: timestamp(),
});
