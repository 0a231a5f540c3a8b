import {
  defineModel,
  bigint,
  boolean,
  integer,
  text,
  textArray,
  timestamp,
  uuid,
  type InstanceOf,
} from '../platform/database/model.js';

/** A live channel; `docs/contract.md#fields-live-channel`. Its stream (`live_streams`) has the same id. */
export const LiveChannel = defineModel('live_channels', {
  id: uuid().primaryKey(),
  ownerId: uuid(),
  name: text(),
  description: text().nullable(),
  thumbnailId: uuid().nullable(),
  tags: textArray().withDefault(),
  public: boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type LiveChannel = InstanceOf<typeof LiveChannel>;

export type PaymentMode = 'FREE' | 'PAY_PER_VIEW';

/** An event on a live channel; `docs/contract.md#fields-live-event`. Events of one channel do not overlap. */
export const LiveEvent = defineModel('live_events', {
  id: uuid().primaryKey(),
  channelId: uuid(),
  ownerId: uuid(),
  name: text(),
  description: text().nullable(),
  thumbnailId: uuid().nullable(),
  tags: textArray().withDefault(),
  paymentMode: text<PaymentMode>(),
  /** With PAY_PER_VIEW alone. */
  priceCents: bigint().nullable(),
  startsAt: timestamp(),
  endsAt: timestamp(),
  public: boolean(),
  /** Whether it becomes a box item of source LIVE. */
  recorded: boolean(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type LiveEvent = InstanceOf<typeof LiveEvent>;

/**
 * The recording of an event. WAITING: its end is not past, or a copy has failed and is tried again. COPYING: a job makes
 * the source file of the box item, under a lease. INGESTED: it is a box item. KEPT: a limit of the owner's license does not
 * permit it; tried again until `keepUntil`. EMPTY: nothing was published. FAILED: given up. The transitions:
 * `recording.lifecycle.ts`.
 */
export type RecordingState = 'WAITING' | 'COPYING' | 'INGESTED' | 'KEPT' | 'EMPTY' | 'FAILED';

/** One for each event that is recorded. */
export const LiveRecording = defineModel('live_recordings', {
  eventId: uuid().primaryKey(),
  streamId: uuid(),
  ownerId: uuid(),
  title: text(),
  startsAt: timestamp(),
  endsAt: timestamp(),
  state: text<RecordingState>(),
  /** Message key of the reason that the owner was mailed. Null: no such mail was sent. */
  failureKey: text().nullable(),
  boxItemId: uuid().nullable(),
  /** How often copying has begun. */
  attempt: integer().withDefault(),
  /** Set when copying begins for the first time. After it, the recording fails and its segments are removed. */
  keepUntil: timestamp().nullable(),
  /** Upload of the last attempt: its quota reservation and its staged file. */
  uploadId: uuid().nullable(),
  /** When its job was queued. Null: since then copying has begun, or it was never queued. */
  queuedAt: timestamp().nullable(),
  leaseOwner: text().nullable(),
  leaseUntil: timestamp().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type LiveRecording = InstanceOf<typeof LiveRecording>;
