import type { Grid } from '../media/grid.js';
import type { ContentAudio } from './audioTracks.js';
import type { Chapter } from './chapters.js';
import type { MeasuredSource } from './measuredSource.js';
import type { LeftOutSubtitles } from './leftOutSubtitles.js';
import type { ContentPlan } from './plan.js';
import type { Storyboard } from './storyboard.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** DELETED is a tombstone: a job removes the rows and files. The transitions: `docs/architecture.md#content-states`. */
export type ContentState = 'PENDING' | 'READY' | 'FAILED' | 'DELETED';

export type ContentArrival = 'FOLLOWED' | 'AWAITED';

/** A stored asset: its source file, and pointers to the generation that plays. */
export const Content = defineModel('contents', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  /** Name of the folder of its files below `content/` (`storageKeys.ts`). */
  folder: column.text(),
  state: column.text<ContentState>(),
  /** Message key of the reason of the failure, for the owner. */
  failureKey: column.text().nullable(),
  /** The reason of the last failure, for operators. */
  failureDetail: column.text().nullable(),
  sourceKey: column.text(),
  /** The name the file was uploaded under; for downloads only, never a path. */
  sourceName: column.text(),
  sourceBytes: column.bigint(),
  /** Made of live segments: it may be as long as an event, and its timestamps are exact. */
  recorded: column.boolean().withDefault(),
  /**
   * Its source still arrives, and no box item refers to it: FOLLOWED, its quick generation is made meanwhile, or AWAITED, nothing is done
   * before it is whole. Null: the source is whole.
   */
  arrival: column.text<ContentArrival>().nullable(),
  /** The newest generation. */
  generation: column.integer().withDefault(),
  /** The newest generation is made quickly, and does not have all renditions. A full one follows it. */
  quick: column.boolean().withDefault(),
  /** The owner can watch what is stored of the newest generation while it is made. */
  growing: column.boolean().withDefault(),
  /** How much of a quick generation is copied, 0..1; it has no chunks until it is whole. */
  progress: column.real().withDefault(),
  /** Its length is counted in the media minutes of the owner. */
  mediaCounted: column.boolean().withDefault(),
  /** The generation that plays. Set once per generation, when every chunk of it has been verified. */
  readyGeneration: column.integer().nullable(),
  /** The attempt of ingestion that has copied that generation: its playlists have this number. Null: it was encoded. */
  readyAttempt: column.integer().nullable(),
  /**
   * How the generation that plays is divided into segments; `plan` is that of the newest generation. Null where a quick
   * generation plays.
   */
  readyGrid: column.json<Grid>().nullable(),
  /** The last generation that failed. While `generation` is above this and the ready one, it is being processed. */
  failedGeneration: column.integer().nullable(),
  durationMs: column.bigint().nullable(),
  width: column.integer().nullable(),
  height: column.integer().nullable(),
  hasVideo: column.boolean().nullable(),
  hasAudio: column.boolean().nullable(),
  /** So many seconds at the end of the source are damaged or missing. */
  missingEndSeconds: column.real().withDefault(),
  /** The labels of the audio tracks of its source that do not play. Null: none. */
  leftOutAudio: column.json<readonly string[]>().nullable(),
  /** Of its source. Null: none. */
  leftOutSubtitles: column.json<readonly LeftOutSubtitles[]>().nullable(),
  /** So many chapters of its source are more than a content may have. */
  leftOutChapters: column.integer().withDefault(),
  plan: column.json<ContentPlan>().nullable(),
  /** Left by a quick generation for the full one. Null: the source is read again. */
  measured: column.json<MeasuredSource>().nullable(),
  /** The lowest of its chunks in the queue has this priority. Null: the newest generation has no chunks in a queue yet. */
  lastPriority: column.integer().nullable(),
  thumbnailId: column.uuid().nullable(),
  renditionBytes: column.bigint().withDefault(),
  thumbnailBytes: column.bigint().withDefault(),
  /** Captions, and the pictures over the seek bar. */
  extraBytes: column.bigint().withDefault(),
  /** In the order of their times. Null: the source has none, and the owner has set none. */
  chapters: column.json<readonly Chapter[]>().nullable(),
  /** In the order in which they are offered; the first one is the default. Null: ingested by a release that played one track alone. */
  audioTracks: column.json<readonly ContentAudio[]>().nullable(),
  /** Null: not made yet, or there is no video. */
  storyboard: column.json<Storyboard>().nullable(),
  /** How often ingestion of the newest generation has begun. */
  attempt: column.integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: column.integer().withDefault(),
  /** How often its owner has had it processed again. */
  reprocessings: column.integer().withDefault(),
  /** When that was requested last, by its owner or an operator. */
  reprocessedAt: column.timestamp().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  readyAt: column.timestamp().nullable(),
  updatedAt: column.timestamp(),
});
export type Content = RowOf<typeof Content>;

/** What is needed of a content to play it. */
export type PlayableContent = Pick<
  Content,
  'id' | 'folder' | 'state' | 'readyGeneration' | 'readyAttempt' | 'durationMs'
> & {
  /** Whether plays have an address for it. */
  readonly hasStoryboard?: boolean;
  readonly hasChapters?: boolean;
};

/** The same, where the owner may watch what is stored of it before it is READY. */
export type WatchableContent = PlayableContent & Pick<Content, 'generation' | 'growing'>;

/** The id of a content that was removed. It is never given to another content. */
export const DeletedContent = defineModel('deleted_contents', {
  contentId: column.uuid().primaryKey(),
  /** Of its files, which are gone; a worker that did not know may have stored some since. Null: deleted by an earlier release. */
  folder: column.text().nullable(),
  deletedAt: column.timestamp(),
});
