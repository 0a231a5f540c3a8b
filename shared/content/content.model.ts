import type { Grid } from '../media/grid.js';
import type { ContentAudio } from './audioTracks.js';
import type { Chapter } from './chapters.js';
import type { MeasuredSource } from './measuredSource.js';
import type { LeftOutSubtitles } from './leftOutSubtitles.js';
import type { ContentPlan } from './plan.js';
import type { Storyboard } from './storyboard.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';

/** DELETED is a tombstone: a job removes the rows and files. Transitions: `docs/architecture.md#content-states`. */
export type ContentState = 'PENDING' | 'READY' | 'FAILED' | 'DELETED';

export type ContentArrival = 'FOLLOWED' | 'AWAITED';

/** A stored asset: its source file, and references to its ready generation. */
export const Content = defineModel('contents', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  /** Name of its folder below `content/` (`storageKeys.ts`). */
  folder: column.text(),
  state: column.text<ContentState>(),
  /** Message key of the failure's reason, for the owner. */
  failureKey: column.text().nullable(),
  /** The reason of the last failure, for operators. */
  failureDetail: column.text().nullable(),
  sourceKey: column.text(),
  /** Original name of the uploaded file; for downloads only, never a path. */
  sourceName: column.text(),
  sourceBytes: column.bigint(),
  /** Joined from live segments: it may be as long as an event, and its timestamps are exact. */
  recorded: column.boolean().withDefault(),
  /**
   * Set while the source arrives and no box item refers to the content. FOLLOWED: its quick generation is written meanwhile.
   * AWAITED: processing starts when the source is complete. Null: the source is complete.
   */
  arrival: column.text<ContentArrival>().nullable(),
  /** The newest generation. */
  generation: column.integer().withDefault(),
  /** The newest generation is a quick one, without all renditions. A full one follows it. */
  quick: column.boolean().withDefault(),
  /** The owner can watch the stored part of the newest generation while it is being written. */
  growing: column.boolean().withDefault(),
  /** Copied part of a quick generation, 0..1; it has no chunks until it is complete. */
  progress: column.real().withDefault(),
  /** Its duration is included in the owner's media minutes. */
  mediaCounted: column.boolean().withDefault(),
  /** The generation that plays. Set after all chunks of a generation have been verified. */
  readyGeneration: column.integer().nullable(),
  /** The ingestion attempt that has copied the ready generation: its playlist names contain it. Null: it was encoded. */
  readyAttempt: column.integer().nullable(),
  /**
   * Segment grid of the ready generation; `plan` belongs to the newest generation. Null if the ready generation is a quick
   * one.
   */
  readyGrid: column.json<Grid>().nullable(),
  /** The last failed generation. While `generation` is greater than this and `readyGeneration`, it is being processed. */
  failedGeneration: column.integer().nullable(),
  durationMs: column.bigint().nullable(),
  width: column.integer().nullable(),
  height: column.integer().nullable(),
  hasVideo: column.boolean().nullable(),
  hasAudio: column.boolean().nullable(),
  /** Damaged or missing seconds at the end of the source. */
  missingEndSeconds: column.real().withDefault(),
  /** Labels of the source's audio tracks that are omitted. Null: none. */
  leftOutAudio: column.json<readonly string[]>().nullable(),
  /** Omitted subtitles of its source. Null: none. */
  leftOutSubtitles: column.json<readonly LeftOutSubtitles[]>().nullable(),
  /** Number of the source's chapters above the maximum. */
  leftOutChapters: column.integer().withDefault(),
  plan: column.json<ContentPlan>().nullable(),
  /** Stored by a quick generation for the full one. Null: the full one reads the source again. */
  measured: column.json<MeasuredSource>().nullable(),
  /** Priority of its last chunk in the queue. Null: the newest generation has no chunks in a queue yet. */
  lastPriority: column.integer().nullable(),
  thumbnailId: column.uuid().nullable(),
  renditionBytes: column.bigint().withDefault(),
  thumbnailBytes: column.bigint().withDefault(),
  /** Size of captions and storyboard. */
  extraBytes: column.bigint().withDefault(),
  /** In the order of their times. Null: the source has none, and the owner has set none. */
  chapters: column.json<readonly Chapter[]>().nullable(),
  /** In the offered order; the first one is the default. Null: ingested by a release that supported one track. */
  audioTracks: column.json<readonly ContentAudio[]>().nullable(),
  /** Null: not rendered yet, or there is no video. */
  storyboard: column.json<Storyboard>().nullable(),
  /** Number of ingestion attempts for the newest generation. */
  attempt: column.integer().withDefault(),
  /** Number of attempts that do not count, because a server was unavailable or the process stopped. */
  returns: column.integer().withDefault(),
  /** Number of reprocessings that its owner has requested. */
  reprocessings: column.integer().withDefault(),
  /** Time of the last reprocessing request, by its owner or an operator. */
  reprocessedAt: column.timestamp().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  readyAt: column.timestamp().nullable(),
  updatedAt: column.timestamp(),
});
export type Content = RowOf<typeof Content>;

/** The columns that are needed to play a content. */
export type PlayableContent = Pick<
  Content,
  'id' | 'folder' | 'state' | 'readyGeneration' | 'readyAttempt' | 'durationMs'
> & {
  /** Whether play results contain the storyboard's address. */
  readonly hasStoryboard?: boolean;
  readonly hasChapters?: boolean;
};

/** Like `PlayableContent`, for an owner who may watch the stored part before the content is READY. */
export type WatchableContent = PlayableContent & Pick<Content, 'generation' | 'growing'>;

/** The id of a removed content. It is never reused. */
export const DeletedContent = defineModel('deleted_contents', {
  contentId: column.uuid().primaryKey(),
  /** Its former folder: a worker may have stored files there after the removal. Null: deleted by an earlier release. */
  folder: column.text().nullable(),
  deletedAt: column.timestamp(),
});
