import { describedColumns } from '../content/describedItem.js';
import { column, defineModel, type InstanceOf } from '../platform/database/model.js';

/** A live channel; `docs/contract.md#fields-live-channel`. Its stream (`live_streams`) has the same id. */
export const LiveChannel = defineModel('live_channels', {
  id: column.uuid().primaryKey(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  public: column.boolean(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type LiveChannel = InstanceOf<typeof LiveChannel>;

export type PaymentMode = 'FREE' | 'PAY_PER_VIEW';

/** An event on a live channel; `docs/contract.md#fields-live-event`. Events of one channel do not overlap. */
export const LiveEvent = defineModel('live_events', {
  id: column.uuid().primaryKey(),
  channelId: column.uuid(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  paymentMode: column.text<PaymentMode>(),
  /** With PAY_PER_VIEW alone. */
  priceCents: column.bigint().nullable(),
  startsAt: column.timestamp(),
  endsAt: column.timestamp(),
  public: column.boolean(),
  /** Whether it becomes a box item of source LIVE. */
  recorded: column.boolean(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
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
  eventId: column.uuid().primaryKey(),
  streamId: column.uuid(),
  ownerId: column.uuid(),
  title: column.text(),
  startsAt: column.timestamp(),
  endsAt: column.timestamp(),
  state: column.text<RecordingState>(),
  /** Message key of the reason that the owner was mailed. Null: no such mail was sent. */
  failureKey: column.text().nullable(),
  boxItemId: column.uuid().nullable(),
  /** How often copying has begun. */
  attempt: column.integer().withDefault(),
  /** Set when copying begins for the first time. After it, the recording fails and its segments are removed. */
  keepUntil: column.timestamp().nullable(),
  /** Upload of the last attempt: its quota reservation and its staged file. */
  uploadId: column.uuid().nullable(),
  /** When its job was queued. Null: since then copying has begun, or it was never queued. */
  queuedAt: column.timestamp().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type LiveRecording = InstanceOf<typeof LiveRecording>;
