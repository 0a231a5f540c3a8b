import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface RecordingPayload {
  readonly eventId: string;
}

const minute = 60_000;

/** Copies the segments of an ended event into the source file of a box item. */
export const recordEvent = defineJob({
  name: 'live.record',
  queue: 'ingestion',
  payload: Joi.object<RecordingPayload, true>({ eventId: Joi.string().uuid().required() }),
  key: ({ eventId }) => eventId,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 5_000,
  timeoutMs: 6 * 60 * minute,
});

/** Queues the recordings of ended events, and due retries. */
export const sweepRecordings = definePeriodicJob({
  name: 'live.sweepRecordings',
  timeoutMs: 5 * minute,
});
