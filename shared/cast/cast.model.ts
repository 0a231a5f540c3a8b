import {
  defineModel,
  bigint,
  integer,
  json,
  text,
  textArray,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';
import type { PartSource } from './playout/part.js';

/** A scheduled channel; `docs/contract.md#fields-cast-channel`. Its stream (`live_streams`), which has its path, has the same id. */
export const CastChannel = defineModel('cast_channels', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  name: text(),
  description: text().nullable(),
  thumbnailId: uuid().nullable(),
  tags: textArray().withDefault(),
  /** IANA name or offset of the request that has last written a day: for the times on the slate. Null: none has. */
  timeZone: text().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type CastChannel = InstanceOf<typeof CastChannel>;

/** A live stream that programs can show; `docs/contract.md#fields-cast-stream`. Its stream (`live_streams`) has the same id. */
export const CastStream = defineModel('cast_streams', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  name: text(),
  description: text().nullable(),
  thumbnailId: uuid().nullable(),
  tags: textArray().withDefault(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type CastStream = InstanceOf<typeof CastStream>;

export type ProgramType = 'LIVE' | 'PRERECORDED' | 'BREAK';

/** A program of a channel; `docs/contract.md#fields-cast-program`. Programs of one channel do not overlap. */
export const CastProgram = defineModel('cast_programs', {
  id: uuid().primaryKey(),
  channelId: uuid(),
  ownerId: uuid(),
  startsAt: timestamp(),
  endsAt: timestamp(),
  type: text<ProgramType>(),
  /** With PRERECORDED alone. */
  boxItemId: uuid().nullable(),
  offsetSeconds: integer().withDefault(),
  /** With LIVE alone. */
  streamId: uuid().nullable(),
  title: text(),
  description: text().nullable(),
  thumbnailId: uuid().nullable(),
  tags: textArray().withDefault(),
  /** Message key of the reason for which the slate is shown instead, of which the owner was mailed. */
  failureKey: text().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type CastProgram = InstanceOf<typeof CastProgram>;

/** Up to when it is decided what a channel plays. Locked by whoever decides more. */
export const CastPlayout = defineModel('cast_playouts', {
  channelId: uuid().primaryKey(),
  /** Microseconds since 1970. */
  decidedUntil: bigint(),
});
export type CastPlayout = InstanceOf<typeof CastPlayout>;

/** Segments that a channel plays, one after the other; `playout/part.ts`. Grows at its end, and never changes otherwise. */
export const CastPart = defineModel('cast_parts', {
  channelId: uuid().primaryKey(),
  sequence: bigint().primaryKey(),
  discontinuity: bigint(),
  /** Microseconds since 1970, as `endsAt`. */
  startsAt: bigint(),
  endsAt: bigint(),
  /** Microseconds of each segment. */
  durations: json<readonly number[]>(),
  programId: uuid().nullable(),
  source: json<PartSource>(),
});
export type CastPart = InstanceOf<typeof CastPart>;

/** WAITING: a job makes it, under a lease. READY: its files are stored. FAILED: the job has given up. */
export type StillState = 'WAITING' | 'READY' | 'FAILED';

/** A file of one rendition: names below the folder of its owner. */
export interface StoredRendition {
  readonly name: string;
  readonly map: string;
  /** In the order of the segments. */
  readonly files: readonly string[];
}

/** One segment of a content, from a frame to a frame, encoded again in every rendition of the content. */
export const CastCut = defineModel('cast_cuts', {
  id: uuid().primaryKey(),
  contentId: uuid(),
  generation: integer(),
  firstFrame: integer(),
  endFrame: integer(),
  state: text<StillState>(),
  /** Its files: `cast/<folder>/`. Ends with a random part. */
  folder: text(),
  renditions: json<readonly StoredRendition[]>().nullable(),
  attempt: integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: integer().withDefault(),
  /** Why it has FAILED, or why the last attempt did: for operators. */
  failureDetail: text().nullable(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  /** When the last channel that wants it will have played it: it is removed after its viewers have got it. */
  neededUntil: timestamp(),
  createdAt: timestamp(),
});
export type CastCut = InstanceOf<typeof CastCut>;

/** What a channel shows where it has nothing to play: still images as segments. */
export const CastSlate = defineModel('cast_slates', {
  id: uuid().primaryKey(),
  /** Null: the slate of channels that have none of their own yet. */
  channelId: uuid().nullable(),
  /** Of what is on it: the same is never made twice. */
  digest: text(),
  /** Name of the channel; start and title of the next program where it shows one. */
  lines: json<readonly string[]>(),
  /** Until it is READY. */
  thumbnailId: uuid().nullable(),
  /** From when to when it is right: until the next program begins. Null: it shows no next program. */
  showsFrom: timestamp(),
  showsUntil: timestamp().nullable(),
  state: text<StillState>(),
  folder: text(),
  /** One, which is shown in place of every rendition. Its files: `slateFile`. */
  renditions: json<readonly StoredRendition[]>().nullable(),
  attempt: integer().withDefault(),
  /** How many of these attempts were returned: a server was away, or the process stopped. They do not count. */
  returns: integer().withDefault(),
  failureDetail: text().nullable(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  neededUntil: timestamp(),
  createdAt: timestamp(),
});
export type CastSlate = InstanceOf<typeof CastSlate>;
