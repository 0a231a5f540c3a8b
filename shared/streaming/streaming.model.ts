import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { RefusedEncoder } from './refusedEncoder.js';
import type { LiveRendition, SegmentRendition } from './liveRendition.js';

export type StreamKind = 'LIVE_CHANNEL' | 'CAST_CHANNEL' | 'CAST_STREAM';

/**
 * A publishing target of encoders, with the id of its channel or cast stream. The paths of all kinds share one namespace.
 * Without a path, the channel is deleted, and a sweep removes the files of its sessions.
 */
export const LiveStream = defineModel('live_streams', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  kind: column.text<StreamKind>(),
  path: column.text().nullable(),
  createdAt: column.timestamp(),
  /** The last refused encoder, cleared when an encoder publishes. */
  refusedEncoder: column.json<RefusedEncoder>().nullable(),
});
export type LiveStream = RowOf<typeof LiveStream>;

/**
 * A broadcast: all runs that follow each other within `LIVE_RECONNECT_SECONDS`. Viewers see one playlist, in which a new run
 * is a discontinuity. The session counts segments and discontinuities; the next session of the stream continues the numbers.
 * At most one session of a stream is OPEN.
 */
export const LiveSession = defineModel('live_sessions', {
  id: column.uuid().primaryKey(),
  streamId: column.uuid(),
  /** Its files are below `live/<folder>/`. The name ends with a random part. */
  folder: column.text(),
  state: column.text<'OPEN' | 'ENDED'>(),
  openedAt: column.timestamp(),
  endedAt: column.timestamp().nullable(),
  nextSequence: column.integer().withDefault(),
  nextDiscontinuity: column.integer().withDefault(),
  /** Values of the next segment: `LiveSegment`. */
  nextPositionMicroseconds: column.bigint().withDefault(),
});
export type LiveSession = RowOf<typeof LiveSession>;

/**
 * OFFERED: an external server receives the encoder, and no live process has claimed the run yet. OPEN: a live process packages
 * it under a lease, or an external server itself serves viewers. At most one run of a stream is OFFERED or OPEN.
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
   * external server serves the viewers, and no process reads the media.
   */
  source: column.text<'RTMP' | 'PULL' | 'REPORTED'>(),
  /** Server, its connection id, and the path: makes hooks idempotent. Null with RTMP. */
  serverKey: column.text().nullable(),
  pullUrl: column.text().nullable(),
  clientAddress: column.text().nullable(),
  state: column.text<RunState>(),
  /** Reason of the run's end, for operators. */
  endReason: column.text().nullable(),
  /** Discontinuity number of its newest segment. Null before its first segment. */
  discontinuity: column.integer().nullable(),
  /** Rendition names and initialisation segments of its newest segment, as JSON: a change begins a discontinuity. */
  segmentMaps: column.text().nullable(),
  /** Highest first. Null until the media are known. */
  renditions: column.json<readonly LiveRendition[]>().nullable(),
  receivedBytes: column.bigint().withDefault(),
  /** Seconds already added to the owner's streaming time. */
  countedSeconds: column.integer().withDefault(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  /** Address of its live process for parts. Null: the process serves no parts. */
  partsUrl: column.text().nullable(),
  offeredAt: column.timestamp(),
  openedAt: column.timestamp().nullable(),
  /** With PULL: time when its live process began to wait for the media. Also null if the protocol does not show it. */
  connectedAt: column.timestamp().nullable(),
  /** With REPORTED, while it is OPEN: time of the server's last confirmation (`reportedRun.lifecycle.ts`). */
  lastMediaAt: column.timestamp().nullable(),
  /** While it is OPEN: its encoder has disconnected, and its last segments are being stored. */
  encoderLeftAt: column.timestamp().nullable(),
  endedAt: column.timestamp().nullable(),
});
export type LiveRun = RowOf<typeof LiveRun>;

/** One segment in all renditions. Written after all its files are stored, and only while the run's lease is held. */
export const LiveSegment = defineModel('live_segments', {
  sessionId: column.uuid().primaryKey(),
  /** `EXT-X-MEDIA-SEQUENCE`: counts from 0 without gaps, over all sessions of the stream. */
  sequence: column.integer().primaryKey(),
  runId: column.uuid(),
  /** Counts from 0 over all sessions of the stream. Each run with segments starts at least one new discontinuity. */
  discontinuity: column.integer(),
  /** Capture time of its first frame: `EXT-X-PROGRAM-DATE-TIME`. */
  startsAt: column.timestamp(),
  durationMicroseconds: column.integer(),
  /** Duration of all media before it, over all sessions of the stream. */
  positionMicroseconds: column.bigint().withDefault(),
  /** In the order of its run's renditions, without dropped renditions. */
  renditions: column.json<readonly SegmentRendition[]>(),
  storedAt: column.timestamp(),
});
export type LiveSegment = RowOf<typeof LiveSegment>;
