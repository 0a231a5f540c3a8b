import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { RefusedEncoder } from './refusedEncoder.js';
import type { LiveRendition, SegmentRendition } from './liveRendition.js';

export type StreamKind = 'LIVE_CHANNEL' | 'CAST_CHANNEL' | 'CAST_STREAM';

/**
 * What an encoder publishes to. Its id is that of the channel or stream it belongs to. The paths of all kinds are in one
 * namespace. Without a path the channel is deleted, and a sweep removes the files of its sessions.
 */
export const LiveStream = defineModel('live_streams', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  kind: column.text<StreamKind>(),
  path: column.text().nullable(),
  createdAt: column.timestamp(),
  /** The last encoder that was refused, until one publishes. */
  refusedEncoder: column.json<RefusedEncoder>().nullable(),
});
export type LiveStream = RowOf<typeof LiveStream>;

/**
 * A broadcast: all runs that follow each other within `LIVE_RECONNECT_SECONDS`. Viewers see one playlist, in which a new run
 * is a discontinuity. Segments and discontinuities are numbered here; the next session of the stream goes on with the next
 * numbers. One session of a stream is OPEN at most.
 */
export const LiveSession = defineModel('live_sessions', {
  id: column.uuid().primaryKey(),
  streamId: column.uuid(),
  /** Its files: `live/<folder>/`. Ends with a random part. */
  folder: column.text(),
  state: column.text<'OPEN' | 'ENDED'>(),
  openedAt: column.timestamp(),
  endedAt: column.timestamp().nullable(),
  nextSequence: column.integer().withDefault(),
  nextDiscontinuity: column.integer().withDefault(),
  /** Of the next segment: `LiveSegment`. */
  nextPositionMicroseconds: column.bigint().withDefault(),
});
export type LiveSession = RowOf<typeof LiveSession>;

/**
 * OFFERED: an external server has the encoder, and no live process has taken the media yet. OPEN: a live process packages
 * it under a lease, or an external server sends it to viewers itself. One run of a stream is OFFERED or OPEN at most.
 */
export type RunState = 'OFFERED' | 'OPEN' | 'ENDED';

/** One publication of one encoder, from its start to its end. */
export const LiveRun = defineModel('live_runs', {
  id: column.uuid().primaryKey(),
  sessionId: column.uuid(),
  streamId: column.uuid(),
  ownerId: column.uuid(),
  /**
   * RTMP: the encoder is connected to a live process. PULL: a live process reads from an external server. REPORTED: an
   * external server faces the viewers, and no process reads the media.
   */
  source: column.text<'RTMP' | 'PULL' | 'REPORTED'>(),
  /** Server, its own id of the connection, and the path: makes hooks idempotent. Null with RTMP. */
  serverKey: column.text().nullable(),
  pullUrl: column.text().nullable(),
  clientAddress: column.text().nullable(),
  state: column.text<RunState>(),
  /** For operators. */
  endReason: column.text().nullable(),
  /** The number of its newest segment. Null before its first segment. */
  discontinuity: column.integer().nullable(),
  /** Names and initialisation segments of its newest segment, as JSON: where they change, a discontinuity begins. */
  segmentMaps: column.text().nullable(),
  /** Highest first. Null until the media is known. */
  renditions: column.json<readonly LiveRendition[]>().nullable(),
  receivedBytes: column.bigint().withDefault(),
  /** Part of its time that is counted on the license of the owner. */
  countedSeconds: column.integer().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  /** Where web processes reach the parts of its live process. Null: it has none. */
  partsUrl: column.text().nullable(),
  offeredAt: column.timestamp(),
  openedAt: column.timestamp().nullable(),
  /** With PULL: when its live process began to wait for the media. Null also where the protocol does not show it. */
  connectedAt: column.timestamp().nullable(),
  /** With REPORTED, while it is open: when the server last confirmed it (`reportedRun.lifecycle.ts`). */
  lastMediaAt: column.timestamp().nullable(),
  /** While it is open: its encoder has disconnected, and its last segments are being stored. */
  encoderLeftAt: column.timestamp().nullable(),
  endedAt: column.timestamp().nullable(),
});
export type LiveRun = RowOf<typeof LiveRun>;

/** One segment in all renditions. Written when all its files are stored, and only while the lease of the run is held. */
export const LiveSegment = defineModel('live_segments', {
  sessionId: column.uuid().primaryKey(),
  /** `EXT-X-MEDIA-SEQUENCE`: counts from 0 without gaps, over all sessions of the stream. */
  sequence: column.integer().primaryKey(),
  runId: column.uuid(),
  /** Counts from 0 over all sessions of the stream. Each run with segments begins a new one, and may begin more. */
  discontinuity: column.integer(),
  /** When its first frame was captured: `EXT-X-PROGRAM-DATE-TIME`. */
  startsAt: column.timestamp(),
  durationMicroseconds: column.integer(),
  /** How much media the stream has before it, over all its sessions. */
  positionMicroseconds: column.bigint().withDefault(),
  /** As the renditions of its run, in their order; one that was dropped since is missing. */
  renditions: column.json<readonly SegmentRendition[]>(),
  storedAt: column.timestamp(),
});
export type LiveSegment = RowOf<typeof LiveSegment>;
