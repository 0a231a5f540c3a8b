import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface CastChannelPayload {
  readonly channelId: string;
}

const minute = 60_000;

/**
 * Decides what a channel plays next, and requests the cuts and slates that it will need. Added by each change of its programs, in the
 * transaction of the change, by `cast.extendAll`, and by viewers' requests if too little is decided.
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

/** Decides for a minute what the channels on air play, and queues `cast.extend` for those that may need a cut or slate soon. */
export const extendAllChannels = definePeriodicJob({
  name: 'cast.extendAll',
  queue: 'daily-programming',
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: 2 * minute,
});

/** Removes what channels have played and no viewer can need. */
export const sweepAirings = definePeriodicJob({
  name: 'cast.sweepAirings',
  queue: 'daily-programming',
  timeoutMs: 10 * minute,
});

export interface PreparationPayload {
  /** Id of a cut or slate. */
  readonly id: string;
}

/**
 * Makes the cuts and slates that wait, the most urgent ones first. The payload only tells the jobs of one moment apart:
 * each job makes whatever waits, so that several workers share it.
 */
export const prepareCast = defineJob({
  name: 'cast.prepare',
  queue: 'daily-programming',
  payload: Joi.object<PreparationPayload, true>({ id: Joi.string().uuid().required() }),
  key: ({ id }) => `prepare-${id}`,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 2_000,
  timeoutMs: 15 * minute,
});

/** Queues cuts and slates again whose worker has died, removes those that no channel needs, and makes slates of changed channels. */
export const sweepPreparations = definePeriodicJob({
  name: 'cast.sweepPreparations',
  timeoutMs: 5 * minute,
});

/** Finds programs whose contents may no longer be aired, and tells their owners. */
export const sweepRights = definePeriodicJob({
  name: 'cast.sweepRights',
  timeoutMs: 5 * minute,
});
