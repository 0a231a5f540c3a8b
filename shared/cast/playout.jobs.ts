import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

export interface CastChannelPayload {
  readonly channelId: string;
}

const minute = 60_000;

/**
 * Decides what a channel plays next, and asks for the cuts and slates that it will need. Added after each change of its
 * programs, in the transaction of the change, and by the clock.
 */
export const extendChannel = defineJob({
  name: 'cast.extend',
  queue: 'daily-programming',
  payload: Joi.object<CastChannelPayload, true>({ channelId: Joi.string().uuid().required() }),
  key: ({ channelId }) => channelId,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: minute,
});

/** Queues `cast.extend` for the channels that have programs. */
export const extendChannels = defineJob({
  name: 'cast.extendAll',
  queue: 'daily-programming',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'cast.extendAll',
  repeats: 'latest',
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: minute,
});

/** Removes what channels have played and no viewer can need. */
export const sweepAirings = defineJob({
  name: 'cast.sweepAirings',
  queue: 'daily-programming',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'cast.sweepAirings',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
  timeoutMs: 10 * minute,
});
