import {
  defineModel,
  bigint,
  integer,
  json,
  text,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';
import type { LiveRendition, SegmentRendition } from './liveRendition.js';

export type StreamKind = 'LIVE_CHANNEL' | 'CAST_CHANNEL' | 'CAST_STREAM';

/**
 * What an encoder publishes to. Its id is that of the channel or stream it belongs to. The paths of all kinds are in one
 * namespace. Without a path the channel is deleted, and a sweep removes the files of its sessions.
 */
export const LiveStream = defineModel('live_streams', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  kind: text<StreamKind>(),
  path: text().nullable(),
  createdAt: timestamp(),
});
export type LiveStream = InstanceOf<typeof LiveStream>;

/**
 * A broadcast: all runs that follow each other within `LIVE_RECONNECT_SECONDS`. Viewers see one playlist, in which a new run
 * is a discontinuity. Segments and discontinuities are numbered here; the next session of the stream goes on with the next
 * numbers. One session of a stream is OPEN at most.
 */
export const LiveSession = defineModel('live_sessions', {
  id: uuid().primaryKey(),
  streamId: uuid(),
  /** Its files: `live/<folder>/`. Ends with a random part. */
  folder: text(),
  state: text<'OPEN' | 'ENDED'>(),
  openedAt: timestamp(),
  endedAt: timestamp().nullable(),
  nextSequence: integer().withDefault(),
  nextDiscontinuity: integer().withDefault(),
});
export type LiveSession = InstanceOf<typeof LiveSession>;

/**
 * OFFERED: an external server has the encoder, and no live process has taken the media yet. OPEN: a live process packages
 * it under a lease, or an external server sends it to viewers itself. One run of a stream is OFFERED or OPEN at most.
 */
export type RunState = 'OFFERED' | 'OPEN' | 'ENDED';

/** One publication of one encoder, from its start to its end. */
export const LiveRun = defineModel('live_runs', {
  id: uuid().primaryKey(),
  sessionId: uuid(),
  streamId: uuid(),
  ownerId: uuid(),
  /**
   * RTMP: the encoder is connected to a live process. PULL: a live process reads from an external server. REPORTED: an
   * external server faces the viewers, and no process reads the media.
   */
  source: text<'RTMP' | 'PULL' | 'REPORTED'>(),
  /** Server, its own id of the connection, and the path: makes hooks idempotent. Null with RTMP. */
  serverKey: text().nullable(),
  pullUrl: text().nullable(),
  clientAddress: text().nullable(),
  state: text<RunState>(),
  /** For operators. */
  endReason: text().nullable(),
  /** The number of its newest segment. Null before its first segment. */
  discontinuity: integer().nullable(),
  /** Names and initialisation segments of its newest segment, as JSON: where they change, a discontinuity begins. */
  segmentMaps: text().nullable(),
  /** Highest first. Null until the media is known. */
  renditions: json<readonly LiveRendition[]>().nullable(),
  receivedBytes: bigint().withDefault(),
  /** Part of its time that is counted on the license of the owner. */
  countedSeconds: integer().withDefault(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  /** Where web processes reach the parts of its live process. Null: it has none. */
  partsUrl: text().nullable(),
  offeredAt: timestamp(),
  openedAt: timestamp().nullable(),
  /** With REPORTED, while it is open: when the server last confirmed it (`reportedRun.lifecycle.ts`). */
  lastMediaAt: timestamp().nullable(),
  endedAt: timestamp().nullable(),
});
export type LiveRun = InstanceOf<typeof LiveRun>;

/** One segment in all renditions. Written when all its files are stored, and only while the lease of the run is held. */
export const LiveSegment = defineModel('live_segments', {
  sessionId: uuid().primaryKey(),
  /** `EXT-X-MEDIA-SEQUENCE`: counts from 0 without gaps, over all sessions of the stream. */
  sequence: integer().primaryKey(),
  runId: uuid(),
  /** Counts from 0 over all sessions of the stream. Each run with segments begins a new one, and may begin more. */
  discontinuity: integer(),
  /** When its first frame was captured: `EXT-X-PROGRAM-DATE-TIME`. */
  startsAt: timestamp(),
  durationMicroseconds: integer(),
  /** As the renditions of its run, in their order; one that was dropped since is missing. */
  renditions: json<readonly SegmentRendition[]>(),
  storedAt: timestamp(),
});
export type LiveSegment = InstanceOf<typeof LiveSegment>;
