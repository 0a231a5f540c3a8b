import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface StreamPayload {
  readonly streamId: string;
}

const minute = 60_000;

/** Ends runs of dead processes and idle sessions, and removes segments that viewers can no longer rewind to. */
export const sweepStreams = definePeriodicJob({
  name: 'streaming.sweep',
  timeoutMs: 10 * minute,
});

/** Removes the files of a deleted stream. */
export const removeStream = defineJob({
  name: 'streaming.remove',
  queue: 'sweeps',
  payload: Joi.object<StreamPayload, true>({ streamId: Joi.string().uuid().required() }),
  key: ({ streamId }) => `${streamId}-remove`,
  repeats: 'latest',
  attempts: 5,
  backoffMs: 5_000,
  timeoutMs: 60 * minute,
});
