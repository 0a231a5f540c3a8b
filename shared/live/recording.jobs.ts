import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

export interface RecordingPayload {
  readonly eventId: string;
}

const minute = 60_000;

/** Copies the segments of an event that is over into the source file of a box item. */
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

/** Queues the recordings of events that are over, and those that are to be tried again. */
export const sweepRecordings = defineJob({
  name: 'live.sweepRecordings',
  queue: 'sweeps',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'live.sweepRecordings',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
  timeoutMs: 5 * minute,
});
