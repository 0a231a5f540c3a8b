import { describedColumns } from '../content/describedItem.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { AiringSource } from './playout/index.js';

/**
 * A scheduled channel; `docs/contract.md#fields-cast-channel`. Its row in `live_streams`, which stores its path, has the same id.
 */
export const CastChannel = defineModel('cast_channels', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  /** IANA name or offset of the last request that wrote a day; slates show times in it. Null: no day was written. */
  timeZone: column.text().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type CastChannel = RowOf<typeof CastChannel>;

/** A live stream that programs can show; `docs/contract.md#fields-cast-stream`. Its row in `live_streams` has the same id. */
export const CastStream = defineModel('cast_streams', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type CastStream = RowOf<typeof CastStream>;

export type ProgramType = 'LIVE' | 'PRERECORDED' | 'BREAK';

/** A program of a channel; `docs/contract.md#fields-cast-program`. Programs of one channel do not overlap. */
export const CastProgram = defineModel('cast_programs', {
  id: column.uuid().primaryKey(),
  channelId: column.uuid(),
  ownerId: column.uuid(),
  startsAt: column.timestamp(),
  endsAt: column.timestamp(),
  type: column.text<ProgramType>(),
  /** Only with PRERECORDED. */
  boxItemId: column.uuid().nullable(),
  offsetSeconds: column.integer().withDefault(),
  /** Only with LIVE. */
  streamId: column.uuid().nullable(),
  title: column.text(),
  ...describedColumns,
  /** Message key of the reason why the slate is shown instead; the owner was notified by mail. */
  failureKey: column.text().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type CastProgram = RowOf<typeof CastProgram>;

/** How far the playout of a channel is decided. Each extension locks the row. */
export const CastPlayout = defineModel('cast_playouts', {
  channelId: column.uuid().primaryKey(),
  /** Microseconds since 1970. */
  decidedUntil: column.bigint(),
  /** The required cuts and slates are requested up to this time. Null: never requested. */
  preparedUntil: column.timestamp().nullable(),
});
export type CastPlayout = RowOf<typeof CastPlayout>;

/** Consecutive segments that a channel plays; `playout/airing.ts`. A row grows at its end, and never changes otherwise. */
export const CastAiring = defineModel('cast_airings', {
  channelId: column.uuid().primaryKey(),
  sequence: column.bigint().primaryKey(),
  discontinuity: column.bigint(),
  /** Microseconds since 1970, as `endsAt`. */
  startsAt: column.bigint(),
  endsAt: column.bigint(),
  /** Microseconds of each segment. */
  durations: column.json<readonly number[]>(),
  programId: column.uuid().nullable(),
  source: column.json<AiringSource>(),
});
export type CastAiring = RowOf<typeof CastAiring>;

/** WAITING: a job encodes it, under a lease. READY: its files are stored. FAILED: the job has given up. */
export type PreparationState = 'WAITING' | 'READY' | 'FAILED';

/** The files of one rendition or track: names below the folder of its cut or slate. */
export interface StoredRendition {
  readonly name: string;
  readonly map: string;
  /** In the order of the segments. */
  readonly files: readonly string[];
}

/** One segment of a content, from one frame to another, encoded again in every rendition of the content. */
export const CastCut = defineModel('cast_cuts', {
  id: column.uuid().primaryKey(),
  contentId: column.uuid(),
  generation: column.integer(),
  firstFrame: column.integer(),
  endFrame: column.integer(),
  state: column.text<PreparationState>(),
  /** Files are below `cast/<folder>/`. The name ends with a random part. */
  folder: column.text(),
  /** The video files also contain the content's default audio track, which earlier releases play. */
  renditions: column.json<readonly StoredRendition[]>().nullable(),
  /** Each audio track of the content (`audioTrackName`) in a separate file. Null: the content has no audio. */
  audio: column.json<readonly StoredRendition[]>().nullable(),
  attempt: column.integer().withDefault(),
  /** Number of attempts that do not count, because a server was unavailable or the process stopped. */
  returns: column.integer().withDefault(),
  /** Reason of the FAILED state or of the last failed attempt, for operators. */
  failureDetail: column.text().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  /** End of the last program that plays the cut. The cut is removed later, when no viewer can request it any more. */
  neededUntil: column.timestamp(),
  createdAt: column.timestamp(),
});
export type CastCut = RowOf<typeof CastCut>;

/** Still images as segments, which a channel shows when it has nothing to play. */
export const CastSlate = defineModel('cast_slates', {
  id: column.uuid().primaryKey(),
  /** Null: the default slate, for channels without a slate of their own. */
  channelId: column.uuid().nullable(),
  /** Hash of the shown texts and image: equal slates are encoded once. */
  digest: column.text(),
  /** The channel's name; also start and title of the next program, if the slate shows one. */
  lines: column.json<readonly string[]>(),
  /** Null after the slate is READY. */
  thumbnailId: column.uuid().nullable(),
  /**
   * The slate may be shown from `showsFrom` until `showsUntil`, when the next program begins. Null: the slate shows no next
   * program.
   */
  showsFrom: column.timestamp(),
  showsUntil: column.timestamp().nullable(),
  state: column.text<PreparationState>(),
  folder: column.text(),
  /** A single rendition, listed in place of every rendition. Its files: `slateFileIndex`. */
  renditions: column.json<readonly StoredRendition[]>().nullable(),
  attempt: column.integer().withDefault(),
  /** Number of attempts that do not count, because a server was unavailable or the process stopped. */
  returns: column.integer().withDefault(),
  failureDetail: column.text().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  neededUntil: column.timestamp(),
  createdAt: column.timestamp(),
});
export type CastSlate = RowOf<typeof CastSlate>;
