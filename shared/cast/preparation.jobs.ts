import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

export interface PreparationPayload {
  /** Id of a cut or slate. */
  readonly id: string;
}

const minute = 60_000;

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
export const sweepPreparations = defineJob({
  name: 'cast.sweepPreparations',
  queue: 'sweeps',
  payload: Joi.object<Record<string, never>, true>({}),
  key: () => 'cast.sweepPreparations',
  repeats: 'latest',
  attempts: 1,
  backoffMs: 1_000,
  timeoutMs: 5 * minute,
});
