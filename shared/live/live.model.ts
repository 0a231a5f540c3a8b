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
 * The recording of an event. WAITING: the event is not over, or its session. COPYING: a job makes the source file of the
 * box item. INGESTED: it is a box item like any other. KEPT: the storage of the owner is full; tried again until
 * `keepUntil`. EMPTY: nothing was published. FAILED: given up, with the reason.
 */
export type RecordingState = 'WAITING' | 'COPYING' | 'INGESTED' | 'KEPT' | 'EMPTY' | 'FAILED';

export const LiveRecording = defineModel('live_recordings', {
  eventId: uuid().primaryKey(),
  streamId: uuid(),
  ownerId: uuid(),
  title: text(),
  startsAt: timestamp(),
  endsAt: timestamp(),
  state: text<RecordingState>(),
  /** Message key of the reason, for the owner. */
  failureKey: text().nullable(),
  boxItemId: uuid().nullable(),
  attempt: integer().withDefault(),
  keepUntil: timestamp().nullable(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
});
export type LiveRecording = InstanceOf<typeof LiveRecording>;
