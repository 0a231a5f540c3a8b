import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface CastChannelPayload {
  readonly channelId: string;
}

const minute = 60_000;

/**
 * Decides what a channel plays next, and requests the cuts and slates that it will need. Enqueued by each change of its programs,
 * in the same transaction, by `cast.extendAll`, and by viewers' requests if too little is decided.
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

/**
 * Extends the playout of channels on air for one minute, and enqueues `cast.extend` for channels that may need a cut or slate soon.
 */
export const extendAllChannels = definePeriodicJob({
  name: 'cast.extendAll',
  queue: 'daily-programming',
  attempts: 3,
  backoffMs: 1_000,
  timeoutMs: 2 * minute,
});

/** Removes airings that no viewer can request any more. */
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
 * Encodes waiting cuts and slates, the most urgent first. The payload serves only as deduplication key: each job processes
 * any waiting row, so several workers share the work.
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

/**
 * Enqueues the cuts and slates of dead workers again, removes those that no channel needs, and requests slates of changed channels.
 */
export const sweepPreparations = definePeriodicJob({
  name: 'cast.sweepPreparations',
  timeoutMs: 5 * minute,
});

/** Finds programs whose contents may no longer be aired, and notifies their owners. */
export const sweepRights = definePeriodicJob({
  name: 'cast.sweepRights',
  timeoutMs: 5 * minute,
});
