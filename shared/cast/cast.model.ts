import { describedColumns } from '../content/describedItem.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { AiringSource } from './playout/index.js';

/** A scheduled channel; `docs/contract.md#fields-cast-channel`. Its stream (`live_streams`), which has its path, has the same id. */
export const CastChannel = defineModel('cast_channels', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  /** IANA name or offset of the request that has last written a day: for the times on the slate. Null: none has. */
  timeZone: column.text().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type CastChannel = RowOf<typeof CastChannel>;

/** A live stream that programs can show; `docs/contract.md#fields-cast-stream`. Its stream (`live_streams`) has the same id. */
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
  /** With PRERECORDED alone. */
  boxItemId: column.uuid().nullable(),
  offsetSeconds: column.integer().withDefault(),
  /** With LIVE alone. */
  streamId: column.uuid().nullable(),
  title: column.text(),
  ...describedColumns,
  /** Message key of the reason for which the slate is shown instead, of which the owner was mailed. */
  failureKey: column.text().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type CastProgram = RowOf<typeof CastProgram>;

/** Up to when it is decided what a channel plays. Locked by whoever decides more. */
export const CastPlayout = defineModel('cast_playouts', {
  channelId: column.uuid().primaryKey(),
  /** Microseconds since 1970. */
  decidedUntil: column.bigint(),
  /** Up to when the cuts and slates that it needs were asked for. Null: they never were. */
  preparedUntil: column.timestamp().nullable(),
});
export type CastPlayout = RowOf<typeof CastPlayout>;

/** Segments that a channel plays, one after the other; `playout/airing.ts`. Grows at its end, and never changes otherwise. */
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

/** WAITING: a job makes it, under a lease. READY: its files are stored. FAILED: the job has given up. */
export type PreparationState = 'WAITING' | 'READY' | 'FAILED';

/** The files of one rendition or track: names below the folder of its owner. */
export interface StoredRendition {
  readonly name: string;
  readonly map: string;
  /** In the order of the segments. */
  readonly files: readonly string[];
}

/** One segment of a content, from a frame to a frame, encoded again in every rendition of the content. */
export const CastCut = defineModel('cast_cuts', {
  id: column.uuid().primaryKey(),
  contentId: column.uuid(),
  generation: column.integer(),
  firstFrame: column.integer(),
  endFrame: column.integer(),
  state: column.text<PreparationState>(),
  /** Its files: `cast/<folder>/`. Ends with a random part. */
  folder: column.text(),
  /** With the default track of the content, which earlier releases play. */
  renditions: column.json<readonly StoredRendition[]>().nullable(),
  /** Each track of the content (`audioTrackName`) in a file of its own. Null: the content has none. */
  audio: column.json<readonly StoredRendition[]>().nullable(),
  attempt: column.integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: column.integer().withDefault(),
  /** Why it has FAILED, or why the last attempt did: for operators. */
  failureDetail: column.text().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  /** When the last channel that wants it will have played it: it is removed after its viewers have got it. */
  neededUntil: column.timestamp(),
  createdAt: column.timestamp(),
});
export type CastCut = RowOf<typeof CastCut>;

/** What a channel shows where it has nothing to play: still images as segments. */
export const CastSlate = defineModel('cast_slates', {
  id: column.uuid().primaryKey(),
  /** Null: the slate of channels that have none of their own yet. */
  channelId: column.uuid().nullable(),
  /** Of what is on it: the same is never made twice. */
  digest: column.text(),
  /** Name of the channel; start and title of the next program where it shows one. */
  lines: column.json<readonly string[]>(),
  /** Until it is READY. */
  thumbnailId: column.uuid().nullable(),
  /** From when to when it is right: until the next program begins. Null: it shows no next program. */
  showsFrom: column.timestamp(),
  showsUntil: column.timestamp().nullable(),
  state: column.text<PreparationState>(),
  folder: column.text(),
  /** One, which is shown in place of every rendition. Its files: `slateFile`. */
  renditions: column.json<readonly StoredRendition[]>().nullable(),
  attempt: column.integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: column.integer().withDefault(),
  failureDetail: column.text().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  neededUntil: column.timestamp(),
  createdAt: column.timestamp(),
});
export type CastSlate = RowOf<typeof CastSlate>;
