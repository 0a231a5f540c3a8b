import { describedColumns } from '../content/describedItem.js';
import { column, defineModel, type RowOf } from '../platform/database/model.js';

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
export type LiveChannel = RowOf<typeof LiveChannel>;

export type PaymentMode = 'FREE' | 'PAY_PER_VIEW';

/** An event on a live channel; `docs/contract.md#fields-live-event`. Events of one channel do not overlap. */
export const LiveEvent = defineModel('live_events', {
  id: column.uuid().primaryKey(),
  channelId: column.uuid(),
  ownerId: column.uuid(),
  name: column.text(),
  ...describedColumns,
  paymentMode: column.text<PaymentMode>(),
  /** Null unless PAY_PER_VIEW. */
  priceCents: column.bigint().nullable(),
  startsAt: column.timestamp(),
  endsAt: column.timestamp(),
  public: column.boolean(),
  /** The event is recorded as a box item of source LIVE. */
  recorded: column.boolean(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type LiveEvent = RowOf<typeof LiveEvent>;

/**
 * The recording of an event. WAITING: for the event's end, for a worker, or for a retry after a failed copy. COPYING: a
 * job writes the source file of the box item, under a lease. INGESTED: the box item exists. KEPT: the owner's license
 * does not permit the recording; retried until `keepUntil`. EMPTY: nothing was published. FAILED: not retried. The
 * transitions: `recording.lifecycle.ts`.
 */
export type RecordingState = 'WAITING' | 'COPYING' | 'INGESTED' | 'KEPT' | 'EMPTY' | 'FAILED';

/** One recording per event. */
export const LiveRecording = defineModel('live_recordings', {
  eventId: column.uuid().primaryKey(),
  streamId: column.uuid(),
  ownerId: column.uuid(),
  title: column.text(),
  startsAt: column.timestamp(),
  endsAt: column.timestamp(),
  state: column.text<RecordingState>(),
  /** Message key of the reason mailed to the owner. Null: no such mail was sent. */
  failureKey: column.text().nullable(),
  boxItemId: column.uuid().nullable(),
  /** Number of copy attempts. */
  attempt: column.integer().withDefault(),
  /** Set by the first copy attempt. At this time, the recording fails and its segments are removed. */
  keepUntil: column.timestamp().nullable(),
  /** The last attempt's upload: quota reservation and staged file. */
  uploadId: column.uuid().nullable(),
  /** Time when the job was queued. Null: never queued, or copying has begun. */
  queuedAt: column.timestamp().nullable(),
  leaseOwner: column.text().nullable(),
  leaseUntil: column.timestamp().nullable(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type LiveRecording = RowOf<typeof LiveRecording>;
