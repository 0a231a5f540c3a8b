import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

export interface StreamPayload {
  readonly streamId: string;
}

const minute = 60_000;

/** Ends runs of dead processes and idle sessions, and removes segments that viewers can no longer rewind to. */
export const sweepStreams = defineJob({
  name: 'streaming.sweep',
  queue: 'sweeps',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'streaming.sweep',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
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
